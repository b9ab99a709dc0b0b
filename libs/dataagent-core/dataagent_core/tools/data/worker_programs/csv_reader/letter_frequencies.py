"""How often each letter occurs in a language, per thousand letters of its words with an accent.

Counted in translations of programs and of the names of countries and currencies; letters of the
alphabet that are rarer than one in a thousand stand as one.
"""
# ruff: noqa: RUF001 - the letters are what it is about

from typing import Final

_COUNTED: Final = {
    "Polish": """
        a79 i77 o75 e62 w56 n55 z41 y39 c36 d34 k34 r34 s34 ł33 p29 t29 u27 ż25 ę22 m21 ą21 ś19
        j18 ó18 l17 ć17 b14 g13 ń8 h6 ź2 f1 v1
    """,
    "Czech": """
        n84 o72 e64 a59 í54 t52 v47 p45 á41 s37 k35 i34 l34 r33 d31 u28 m27 z26 ř22 c18 č18 é17
        ý16 h15 ž15 y14 b13 ě13 j11 š10 ů6 f3 g2 ú2 ó1 w1 x1 ď1 ň1 ť1
    """,
    "Slovak": """
        a83 o81 n77 e60 r52 i50 v48 t44 s42 p37 k35 á35 d27 l27 u27 m24 z24 b20 í20 č20 ý18 c17
        ú17 é16 ť16 y15 ž15 h14 j9 š9 ľ8 f4 g3 ó2 ä1 ô1 ň1 w1 x1 ď1 ĺ1 ŕ1
    """,
    "Hungarian": """
        e87 t85 l79 s75 á61 a60 r46 é46 k45 n43 z42 o34 i32 m26 g23 v23 h17 í17 ó17 b16 j16 f14
        y14 d13 ö13 p12 ő11 c9 u8 ü7 ú4 ű3 x1
    """,
    "Romanian": """
        i125 e105 ă81 a80 n68 r67 t60 c50 u45 l37 s33 o32 ţ29 ş28 p25 f23 m20 d19 î17 z16 g11 v8
        b7 â6 h4 x3 j1 k1 w1 y1
    """,
    "Croatian": """
        a105 i102 e100 o72 n70 r54 č47 u45 k42 j37 š34 p32 t31 m29 v28 s26 g23 ž23 ć22 d21 l20 z13
        đ10 b6 c3 h2 f1
    """,
    "Slovenian": """
        o104 a103 i100 e86 n86 č84 š49 r39 l38 k34 t32 m31 v29 j28 p28 s22 ž20 g18 u18 z18 d16 b7
        c5 h4 f1
    """,
    "French": """
        é117 e109 r100 t74 i73 n59 a56 s53 c45 o44 u34 p33 d32 l28 m26 f16 g13 à12 è12 h11 ê9 q8
        b7 v7 x4 ô3 j2 y2 z2 î2 k1 ç1 w1 â1 æ1 ë1 ï1 ù1 û1 ü1 ÿ1 œ1
    """,
    "German": """
        e122 n88 r87 t64 s63 ü61 g58 l50 i44 h41 u38 f35 a31 c30 ä25 b21 d19 ö18 k15 m15 z13 p12
        o10 v7 w6 ß6 y2 é2 j1 q1 x1
    """,
    "Spanish": """
        i111 n96 c85 e75 a73 ó62 o58 s58 r53 l42 t41 m33 á31 d30 p23 u22 í18 b14 f14 v14 g11 ú11
        é6 ñ6 x5 q2 z2 h1 j1 k1 y1 ü1
    """,
    "Portuguese": """
        o121 e78 i77 s75 a68 n61 r55 ã55 c38 l38 ç36 p34 m30 d29 t29 v24 á24 í20 u17 é14 b10 f10
        g9 ó9 ú8 õ7 ê6 x4 h3 z3 q2 â2 j1 à1 ô1 ü1
    """,
    "Swedish": """
        r113 n96 ä77 t69 a63 e63 s59 l53 ö52 d45 f43 å37 g36 i33 v30 k25 p21 m19 o18 h10 u10 b8 j7
        c3 y2 x1 é1 q1 w1 z1 ü1
    """,
    "Danish": """
        e123 r106 n76 s72 t65 l58 æ53 d47 g45 ø44 i42 å30 k28 a25 v25 o23 m22 p22 f21 u16 b14 h11
        j9 é6 c3 y2 q1 w1 x1 z1 ö1
    """,
    "Finnish": """
        ä179 t124 i99 e79 s76 n72 y56 k52 l50 m31 r25 o21 p20 v20 a19 ö19 u16 j15 h12 d10 b1 f1 g1
        å1 š1 ž1
    """,
    "Italian": """
        è134 i105 a67 p61 t56 à50 u46 n45 r44 o39 e35 l33 c29 m29 ò23 é20 d19 s17 g16 ù16 h14 k11
        v11 b10 f5 z5 y4 j3 q2 w2 x2 ì2 ó2
    """,
    "Turkish": """
        a116 ı90 l77 i76 e74 n68 r67 m39 d38 s37 k32 t31 y30 ç28 ş28 ü25 u22 o19 ğ18 b16 z16 g14
        ö12 c9 p5 h4 v4 f3 j1 w1 â1 î1 û1
    """,
    "Dutch": """
        e95 a91 n78 r75 i71 l48 s45 o43 t39 g31 d30 é29 ë28 u24 k23 b22 p22 m21 v21 c17 h16 ï13
        j10 á10 f7 y6 z6 ó6 ö3 q2 è2 ü2 w1 x1
    """,
}
LETTERS_PER_THOUSAND: Final = {
    language: {entry[0]: int(entry[1:]) for entry in text.split()}
    for language, text in _COUNTED.items()
}
