"""The encoding of a text is found by its words; where two explain it, that is said."""
# ruff: noqa: RUF001 - the letters are what it is about

from pathlib import Path

import duckdb
import pytest

from dataagent_core.tools.data.worker_programs.csv_reader.csv_values import ValueChoice
from dataagent_core.tools.data.worker_programs.csv_reader.text_charset import find_charset
from dataagent_core.tools.data.worker_programs.duckdb_worker.duckdb_csv import read_csv_plan
from dataagent_core.tools.data.worker_programs.duckdb_worker.table_read_plan import ReadLessons

SENTENCES = {
    "Polish": (
        "cp1250",
        "Proszę przesłać fakturę na adres podany w umowie.",
        "Wysyłka opóźniła się o trzy dni, klient był niezadowolony.",
        "Łódź;Kraków;Gdańsk;Poznań",
        "Klient zwrócił książkę, ponieważ okładka była uszkodzona.",
        "Wałęsa;Dąbrowski;Łukasz;Zięba;Żak",
    ),
    "Czech": (
        "cp1250",
        "Zákazník vrátil zboží, protože přišlo poškozené.",
        "Plzeň;České Budějovice;Ústí nad Labem",
        "Jiří Dvořák objednal tři kusy, zaplatil převodem.",
        "Dvořák;Novotný;Růžička;Černý;Němec",
    ),
    "Hungarian": (
        "cp1250",
        "A vevő visszaküldte a terméket, mert sérült volt.",
        "Győr;Szőlős;Debrecen;Kőszeg",
        "Szűcs Erzsébet két könyvet rendelt, az előleget kifizette.",
        "Kovács;Szűcs;Erdős;Tóth;Győri",
    ),
    "Romanian": (
        "cp1250",
        "Clientul a returnat cartea fiindcă era deteriorată.",
        "Bucureşti;Iaşi;Constanţa;Timişoara",
        "Vă rugăm să trimiteţi factura la adresa menţionată.",
        "Ionică;Ştefan;Văcărescu;Munteanu;Bărbulescu",
    ),
    "French": (
        "cp1252",
        "Le client a retourné le livre parce qu'il était abîmé.",
        "Nîmes;Orléans;Besançon;Saint-Étienne",
        "Où est passé le cœur du problème ? Ça reste à vérifier.",
        "Lefèvre;François;Benoît;Hélène;Gaël",
    ),
    "German": (
        "cp1252",
        "Bitte senden Sie die Rechnung an die angegebene Straße.",
        "München;Köln;Düsseldorf;Lübeck",
        "Größe, Höhe und Preis: 12,50 € für 3 m³ Käse",
        "Müller;Schröder;Weiß;Jäger;Bösch",
    ),
    "Spanish": (
        "cp1252",
        "El cliente devolvió el libro porque estaba dañado.",
        "¿Dónde está la factura Nº 12 del año pasado?",
        "Cádiz;Málaga;La Coruña;León",
        "Muñoz;Peña;González;Ibáñez;Martín",
    ),
    "Portuguese": (
        "cp1252",
        "O cliente devolveu o livro porque não estava em boas condições.",
        "São Paulo;Brasília;Guarulhos;Ribeirão Preto",
        "João pediu duas canções e a informação em português.",
        "Gonçalves;Simões;João;Conceição;Magalhães",
    ),
    "Swedish": (
        "cp1252",
        "Kunden skickade tillbaka boken eftersom den var trasig på två ställen.",
        "Malmö;Göteborg;Västerås;Luleå",
        "Åsa Öberg köpte sju stycken ägg och smör.",
        "Åkesson;Sjöberg;Lindström;Bäck;Håkansson",
    ),
    "Turkish": (
        "cp1254",
        "Müşteri kitabı hasarlı olduğu için iade etti.",
        "İzmir;Diyarbakır;Muğla;Eskişehir",
        "Lütfen faturayı belirtilen adrese gönderin.",
        "Yılmaz;Şahin;Doğan;Çelik;Öztürk",
    ),
    "Italian": (
        "cp1252",
        "Il cliente ha restituito il libro perché era danneggiato.",
        "La qualità è buona però il prezzo è più alto.",
    ),
    "Danish": ("cp1252", "Århus;Køge;Næstved;Tønder"),
    "Slovak": ("cp1250", "Ľubomír kúpil päť kusov, dážď ho zdržal. Čerešňa a tôňa."),
    "Croatian": ("cp1250", "Molimo pošaljite račun na sljedeću adresu, hvala vam."),
    "Slovenian": ("cp1250", "Pošljite račun na navedeni naslov, prosim še enkrat."),
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_is_read_in_the_encoding_of_its_language(language: str):
    encoding, *sentences = SENTENCES[language]
    for text in sentences:
        data = text.encode(encoding)
        assert data.decode(find_charset(data).name) == text


@pytest.mark.parametrize("encoding", ["cp1250", "iso8859-2"])
def test_the_two_central_european_encodings_are_told_apart(encoding: str):
    _, *sentences = SENTENCES["Polish"]
    text = "\n".join(sentences)
    found = find_charset(text.encode(encoding))
    assert (found.name, found.notes) == (encoding, ())


@pytest.mark.parametrize(
    "text",
    [
        "item,price\ntea,£5\ncake,£3.50\n",
        "volume\n5 m³\n12 cm³\n" * 20,
        "Nº;v\nNº 1;2\nNº 2;3\n",
        "it’s a “test” – fine",
        "25 °C, ½ cup, © 2024, naïve",
        "name,n\n1,Zoë",
    ],
)
def test_signs_are_no_letters_of_another_encoding(text: str):
    data = text.encode("cp1252")
    assert data.decode(find_charset(data).name) == text


def test_a_name_that_two_encodings_explain_is_said_and_the_other_is_one_step_away(tmp_path: Path):
    path = tmp_path / "people.csv"
    path.write_bytes("name;n\nMuñoz;1\n".encode("cp1252"))

    def read(wanted: ValueChoice) -> tuple[list[tuple[object, ...]], list[str]]:
        connection, spare = duckdb.connect(), str(tmp_path / "spare")
        reading = read_csv_plan(connection, str(path), "", spare, ReadLessons(), wanted=wanted)
        return connection.execute(reading.select).fetchall(), reading.all_notes

    rows, [note] = read(ValueChoice())
    assert note.startswith("the text can be read in two ways: 'Mu")
    other = note.rpartition("--encoding ")[2].removesuffix(")")
    rows_of_other, [note_of_other] = read(ValueChoice(encoding=other))
    assert [("Muñoz", 1)] in (rows, rows_of_other)
    assert rows != rows_of_other
    assert note_of_other == f"the text is read in {other}, as a person chose"


@pytest.mark.parametrize(
    ("bytes_of", "chosen", "notes"),
    [
        ("utf-8-sig", "cp1252", ["utf-8"]),
        ("utf-16", "cp1252", ["utf-16-le"]),
        ("utf-8-sig", "utf-16-le", ["utf-8"]),
        ("utf-8-sig", "utf-8", []),
        ("utf-16", "utf-16-le", []),
        ("utf-8-sig", None, []),
    ],
)
def test_a_chosen_encoding_that_a_mark_contradicts_is_said_to_be_passed_over(
    tmp_path: Path, bytes_of: str, chosen: str | None, notes: list[str]
):
    path = tmp_path / "people.csv"
    path.write_bytes("name;n\nMuñoz;1\n".encode(bytes_of))
    connection, spare = duckdb.connect(), str(tmp_path / "spare")
    wanted = ValueChoice(encoding=chosen)
    reading = read_csv_plan(connection, str(path), "", spare, ReadLessons(), wanted=wanted)
    assert connection.execute(reading.select).fetchall() == [("Muñoz", 1)]
    assert reading.all_notes == [
        f"the text begins with the mark of {mark} and is read in it, not in {chosen}, "
        "which was chosen"
        for mark in notes
    ]


def test_a_mark_before_plain_ascii_contradicts_no_encoding_in_which_it_is_the_same():
    assert find_charset(b"\xef\xbb\xbfname;n\n", "cp1252").notes == ()
    assert find_charset(b"\xef\xbb\xbfname;n\n", "utf-16-le").notes != ()
