"""Functions the parser knows by meaning, by its class. All of them compute from their arguments.

Left out on purpose: readers of files and URLs, sequences, sessions, users, versions and settings,
encryption, XML, models, and functions whose name is itself computed.
"""

_AGGREGATES = """
AnyValue ApproxDistinct ApproxQuantile ApproxQuantiles ApproxTopK ApproxTopSum ArgMax ArgMin
ArrayAgg ArrayConcatAgg ArrayUnionAgg ArrayUniqueAgg Avg BitwiseAndAgg BitwiseOrAgg BitwiseXorAgg
BoolxorAgg Corr Count CountIf CovarPop CovarSamp First FirstValue GroupConcat Grouping GroupingId
HashAgg Hll JSONArrayAgg JSONBObjectAgg JSONObjectAgg Kurtosis Last LastValue LogicalAnd LogicalOr
Max Median Min Mode ObjectAgg PercentileCont PercentileDisc Quantile RegrAvgx RegrAvgy RegrCount
RegrIntercept RegrR2 RegrSlope RegrSxx RegrSxy RegrSyy RegrValx RegrValy Skewness Stddev StddevPop
StddevSamp Sum Variance VariancePop
"""
_WINDOWS = "CumeDist DenseRank Lag Lead NthValue Ntile PercentRank Rank RowNumber"
_NUMBERS = """
Abs Acos Acosh Asin Asinh Atan Atan2 Atanh BitwiseCount Cbrt Ceil Cos Cosh CosineDistance Cot Coth
Csc Csch Degrees DotProduct EuclideanDistance Exp Factorial Float64 Floor FromBase Getbit Greatest
Int64 IsInf IsNan Least Ln Log ManhattanDistance Nanvl Negative Normal Pi Pow Radians Rand Randn
RangeBucket Rint Round SafeAdd SafeDivide SafeMultiply SafeNegate SafeSubtract Sec Sech Sign Sin
Sinh Sqrt Tan Tanh ToDouble ToNumber Trunc Uniform WidthBucket Xor
"""
_TEXT = """
Ascii Base64DecodeBinary Base64DecodeString Base64Encode BitLength ByteLength Chr CodePointsToBytes
CodePointsToString Collate Collation Concat ConcatWs Contains Convert ConvertToCharset Decode Elt
Encode EndsWith Format FromBase32 FromBase64 Hex HexDecodeString Initcap IsAscii
JarowinklerSimilarity Left Length Levenshtein Lower LowerHex MD5 MD5Digest MatchAgainst Normalize
NumberToStr Overlay Pad ParseBignumeric ParseNumeric ParseUrl RegexpCount RegexpExtract
RegexpExtractAll RegexpFullMatch RegexpILike RegexpInstr RegexpLike RegexpReplace RegexpSplit
RegexpSubstr Repeat Replace Reverse Right RtrimmedLength SHA SHA1Digest SHA2 SHA2Digest
SafeConvertBytesToString Soundex Space Split SplitPart StandardHash StartsWith StrPosition StrToMap
String StringToArray Strtok StrtokToArray Stuff Substring SubstringIndex ToBase32 ToBase64 ToBinary
ToChar ToCodePoints Translate Trim Unhex Unicode Upper Uuid CityHash64 FarmFingerprint
"""
_TIME = """
AddMonths ConvertTimezone CurrentDate CurrentDatetime CurrentTime CurrentTimestamp
CurrentTimestampLTZ Date DateAdd DateBin DateDiff DateFromParts DateFromUnixDate DateStrToDate
DateSub DateToDateStr DateToDi DateTrunc Datetime DatetimeAdd DatetimeDiff DatetimeSub
DatetimeTrunc Day DayOfMonth DayOfWeek DayOfWeekIso DayOfYear Dayname DiToDate Extract
FromISO8601Date FromISO8601Timestamp FromISO8601TimestampNanos GenerateDateArray
GenerateTimestampArray Hour JustifyDays JustifyHours JustifyInterval LastDay Localtime
Localtimestamp MakeInterval Minute Month Monthname MonthsBetween NextDay ParseDatetime ParseTime
PreviousDay Quarter Second StrToDate StrToTime StrToUnix Systimestamp Time TimeAdd TimeDiff
TimeFromParts TimeSlice TimeStrToDate TimeStrToTime TimeStrToUnix TimeSub TimeToStr TimeToTimeStr
TimeToUnix TimeTrunc Timestamp TimestampAdd TimestampDiff TimestampFromParts TimestampLtzFromParts
TimestampSub TimestampTrunc TimestampTzFromParts ToDays TsOrDiToDi TsOrDsAdd TsOrDsDiff
TsOrDsToDate TsOrDsToDateStr TsOrDsToDatetime TsOrDsToTime TsOrDsToTimestamp UnixDate UnixMicros
UnixMillis UnixSeconds UnixToStr UnixToTime UnixToTimeStr UtcDate UtcTime UtcTimestamp Week
WeekOfYear WeekStart Year YearOfWeek YearOfWeekIso
"""
_LISTS = """
Array ArrayAll ArrayAny ArrayAppend ArrayCompact ArrayConcat ArrayConstructCompact ArrayContainedBy
ArrayContains ArrayContainsAll ArrayDistinct ArrayExcept ArrayFilter ArrayFirst ArrayInsert
ArrayIntersect ArrayLast ArrayMax ArrayMin ArrayOverlaps ArrayPosition ArrayPrepend ArrayRemove
ArrayRemoveAt ArrayReverse ArraySize ArraySlice ArraySort ArraySum ArrayToString ArraysZip Columns
Explode ExplodingGenerateSeries Flatten GenerateSeries Inline List Map MapCat MapContainsKey
MapDelete MapFromEntries MapInsert MapKeys MapPick MapSize Posexplode PosexplodeOuter Reduce Shuffle
SplitToTable Stack StrtokSplitToTable Struct StructExtract ToArray ToMap Transform Unnest VarMap
_ExplodeOuter
"""
_JSON = """
CheckJson FromJson GetExtract GetIgnoreCase IsArray IsNullValue JSONArray JSONArrayAppend
JSONArrayContains JSONArrayInsert JSONBContains JSONBContainsAllTopKeys JSONBContainsAnyTopKeys
JSONBContainsTopKey JSONBDeleteAtPath JSONBExists JSONBExtract JSONBExtractScalar JSONBPathExists
JSONBool JSONCast JSONExists JSONExtract JSONExtractArray JSONExtractScalar JSONFormat JSONKeys
JSONKeysAtDepth JSONObject JSONRemove JSONSet JSONStripNulls JSONTable JSONType JSONValueArray
LaxBool LaxFloat64 LaxInt64 LaxString ObjectInsert ParseJSON StripNullValue ToVariant
"""
_CHOICES = """
And Booland Boolnot Boolor Case Cast CastToStrType Coalesce DecodeCase EqualNull Exists If Nullif
Nvl2 Or ToBoolean Try TryCast Typeof
"""
FUNCTION_NODES = frozenset(
    f"{_AGGREGATES} {_WINDOWS} {_NUMBERS} {_TEXT} {_TIME} {_LISTS} {_JSON} {_CHOICES}".split()
)
# The name the caller wrote is kept in `this` and looked up in `functions_by_dialect.py`.
NAMED_FUNCTION_NODES = frozenset(
    [
        "Anonymous",
        "AnonymousAggFunc",
        "ParameterizedAgg",
        "CombinedAggFunc",
        "CombinedParameterizedAgg",
    ]
)
