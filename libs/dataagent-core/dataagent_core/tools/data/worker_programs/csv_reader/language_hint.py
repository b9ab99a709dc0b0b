"""Guesses the number and date formats of a file by the language of its words.

Weak evidence: it decides only where the values, the other columns and the separator leave two
readings equal, and the note of the column names the words. Those of the heading come first; the
cells count where it tells nothing. Letters that English does not have are taken from
`letter_frequencies.py`, by which encodings are told apart.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from .date_values import DateOrder
from .letter_frequencies import LETTERS_PER_THOUSAND
from .number_values import Decimals


def _make_vocabulary(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD: Final = re.compile(r"[^\W\d_]+")
_ROWS_MAX: Final = 200
_CELL_CHARS_MAX: Final = 200
_WORDS_SHOWN: Final = 2
_LETTERS: Final = frozenset(
    letter
    for letters in LETTERS_PER_THOUSAND.values()
    for letter in letters
    if not letter.isascii()
)
# Greek and Cyrillic.
_OTHER_SCRIPT: Final = re.compile(r"[\u0370-\u03ff\u0400-\u04ff]{2,}")
# What columns are called in languages that write `31/12/2024` and `1.234,5`. Words that English
# shares (`name`, `client`, `total`) tell nothing and are left out.
_NAMES: Final = _make_vocabulary(
    """
    datum betrag preis menge anzahl kunde kunden umsatz rechnung bestellung strasse plz ort stadt
    nummer monat jahr bezeichnung summe wert gesamt
    montant prix quantite ville mois annee jour libelle facture commande prenom
    fecha importe cantidad cliente clientes precio ciudad nombre apellido mes pedido factura
    descripcion ventas
    valor preco quantidade cidade nome vendas
    importo prezzo quantita citta fattura ordine vendite
    bedrag prijs aantal klant factuur maand belopp antal kund kunder faktura dato hinta
    kwota cena ilosc klient miasto iznos kupac znesek tarih tutar fiyat adet
    """
)
# Joined with others into one word: `Rechnungsdatum`, `Nettobetrag`, `Kundennummer`.
_ENDINGS: Final = ("datum", "betrag", "preis", "menge", "umsatz", "nummer")
_MONTHS: Final = _make_vocabulary(
    """
    januar februar märz juni juli oktober dezember
    janvier février avril juin juillet août septembre octobre décembre
    enero febrero marzo abril junio agosto septiembre octubre noviembre diciembre
    janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
    gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
    januari februari maart
    """
)
_ENGLISH: Final = _make_vocabulary(
    """
    amount price quantity qty customer order year month day country city sales revenue first last
    address phone street week value count rate weight height width cost paid due shipped shipping
    created updated sold store january february march june july october december
    """
)
_AMERICAN: Final = frozenset(("zip", "zipcode", "ssn", "county"))
# Alone it often says how far something is; beside one of these it is a place.
_STATE: Final = "state"
_BESIDE_STATE: Final = frozenset(("city", "street", "address", "country"))


@dataclass(frozen=True, slots=True)
class LanguageHint:
    """What the words of a file suggest, and some of them; None where they tell nothing."""

    decimals: Decimals | None = None
    dates: DateOrder | None = None
    words: str = ""


NO_HINT: Final = LanguageHint()


def find_language_hint(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> LanguageHint:
    """Look at the words of the heading, else at those of the first rows."""
    named = _collect_words(heading)
    english = [word for lower, word in named.items() if lower in _ENGLISH]
    american = _find_american(named)
    others = [word for lower, word in named.items() if _is_name(lower)]
    if not (english or american or others):
        cells = (cell[:_CELL_CHARS_MAX] for row in islice(rows, _ROWS_MAX) for cell in row)
        found = _collect_words(cells)
        english = [word for lower, word in found.items() if lower in _ENGLISH]
        others = [word for lower, word in found.items() if _is_common_word(lower)]
    if len(others) > len(english) + len(american):
        return LanguageHint("comma", "dmy", _list_words(others))
    if american and not others:
        return LanguageHint("point", "mdy", _list_words(american))
    return NO_HINT


def _collect_words(texts: Iterable[str]) -> dict[str, str]:
    return {word.lower(): word for text in texts for word in _WORD.findall(text)}


def _find_american(named: dict[str, str]) -> list[str]:
    found = [word for lower, word in named.items() if lower in _AMERICAN]
    if _STATE in named and (found or not _BESIDE_STATE.isdisjoint(named)):
        found.append(named[_STATE])
    return found


def _is_name(word: str) -> bool:
    return (
        word in _NAMES
        or word.endswith(_ENDINGS)
        or not _LETTERS.isdisjoint(word)
        or _is_common_word(word)
    )


def _is_common_word(word: str) -> bool:
    """Leave out letters with accents, unlike for a name: people and places have them everywhere."""
    return word in _MONTHS or _OTHER_SCRIPT.fullmatch(word) is not None


def _list_words(words: Sequence[str]) -> str:
    return ", ".join(words[:_WORDS_SHOWN])
