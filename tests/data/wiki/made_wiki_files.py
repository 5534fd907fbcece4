"""The files of made_wiki.py: MediaWiki's XML of exports 0.3 to 0.11 and mysqldump's tables by year."""
from __future__ import annotations

import gzip
import json
import pathlib
import random
from xml.sax.saxutils import escape, quoteattr

# Export version of a year's dumps. 0.3 has neither <ns> nor <redirect>; 0.4 and 0.5 have <redirect />.
EXPORT = {2005: "0.3", 2010: "0.4", 2015: "0.10", 2022: "0.10", 2024: "0.11", 2025: "0.11"}
TABLES = ("page", "redirect", "pagelinks", "linktarget", "categorylinks")


def columns(table: str, year: int) -> list[tuple[str, str]]:
    """(name, type) in the order of the year"""
    if table == "page":
        found = [("page_id", "int(8) unsigned NOT NULL AUTO_INCREMENT"), ("page_namespace", "int(11) NOT NULL DEFAULT '0'"),
                 ("page_title", "varbinary(255) NOT NULL DEFAULT ''")]
        found += [("page_restrictions", "tinyblob NOT NULL")] if year < 2022 else []
        found += [("page_counter", "bigint(20) unsigned NOT NULL DEFAULT '0'")] if year < 2015 else []
        found += [("page_is_redirect", "tinyint(1) unsigned NOT NULL DEFAULT '0'"),
                  ("page_is_new", "tinyint(1) unsigned NOT NULL DEFAULT '0'"),
                  ("page_random", "double unsigned NOT NULL DEFAULT '0'"), ("page_touched", "binary(14) NOT NULL")]
        found += [("page_links_updated", "varbinary(14) DEFAULT NULL")] if year >= 2015 else []
        found += [("page_latest", "int(8) unsigned NOT NULL DEFAULT '0'"), ("page_len", "int(8) unsigned NOT NULL")]
        found += [("page_content_model", "varbinary(32) DEFAULT NULL"),
                  ("page_lang", "varbinary(35) DEFAULT NULL")] if year >= 2015 else []
        return found
    if table == "redirect":
        found = [("rd_from", "int(8) unsigned NOT NULL"), ("rd_namespace", "int(11) NOT NULL"),
                 ("rd_title", "varbinary(255) NOT NULL DEFAULT ''")]
        return found + ([("rd_interwiki", "varbinary(32) DEFAULT NULL"),
                         ("rd_fragment", "varbinary(255) DEFAULT NULL")] if year >= 2010 else [])
    if table == "linktarget":
        return [("lt_id", "bigint(20) unsigned NOT NULL"), ("lt_namespace", "int(11) NOT NULL"),
                ("lt_title", "varbinary(255) NOT NULL")]
    if table == "pagelinks":
        if year >= 2024:
            return [("pl_from", "int(8) unsigned NOT NULL DEFAULT 0"), ("pl_from_namespace", "int(11) NOT NULL DEFAULT 0"),
                    ("pl_target_id", "bigint(20) unsigned NOT NULL")]
        found = [("pl_from", "int(8) unsigned NOT NULL"), ("pl_namespace", "int(11) NOT NULL"),
                 ("pl_title", "varbinary(255) NOT NULL DEFAULT ''")]
        return found + ([("pl_from_namespace", "int(11) NOT NULL")] if year >= 2015 else [])
    kind = ("cl_type", "enum('page','subcat','file') NOT NULL DEFAULT 'page'")
    if year >= 2025:
        return [("cl_from", "int(8) unsigned NOT NULL"), ("cl_sortkey", "varbinary(230) NOT NULL"),
                ("cl_timestamp", "timestamp NOT NULL"), ("cl_sortkey_prefix", "varbinary(255) NOT NULL"), kind,
                ("cl_collation_id", "smallint(5) unsigned NOT NULL"), ("cl_target_id", "bigint(20) unsigned NOT NULL")]
    found = [("cl_from", "int(8) unsigned NOT NULL"), ("cl_to", "varbinary(255) NOT NULL DEFAULT ''"),
             ("cl_sortkey", "varbinary(230) NOT NULL DEFAULT ''"), ("cl_timestamp", "timestamp NOT NULL")]
    return found + ([("cl_sortkey_prefix", "varbinary(255) NOT NULL"), ("cl_collation", "varbinary(32) NOT NULL"),
                     kind] if year >= 2010 else [])


def value(item) -> bytes:
    if item is None:
        return b"NULL"
    if isinstance(item, (int, float)):
        return repr(item).encode()
    data = item if isinstance(item, bytes) else item.encode("utf-8")
    for plain, escaped in ((b"\\", b"\\\\"), (b"'", b"\\'"), (b'"', b'\\"'), (b"\n", b"\\n"), (b"\0", b"\\0"),
                           (b"\r", b"\\r"), (b"\x1a", b"\\Z")):
        data = data.replace(plain, escaped)
    return b"'" + data + b"'"


def table_bytes(table: str, year: int, rows: list[dict], per_insert: int) -> bytes:
    names = [name for name, _ in columns(table, year)]
    head = "/*M!999999\\- enable the sandbox mode */ \n" if year >= 2024 else ""
    head += f"-- MySQL dump 10.13\n--\n-- Host: db    Database: madewiki\n-- It's a comment; `{table}` (x,'y')\n"
    head += "/*!40101 SET NAMES utf8 */;\n\n--\n-- Table structure for table `%s`\n--\n\n" % table
    head += f"DROP TABLE IF EXISTS `{table}`;\n/*!40101 SET character_set_client = utf8 */;\nCREATE TABLE `{table}` (\n"
    head += "".join(f"  `{name}` {kind},\n" for name, kind in columns(table, year))
    key = names[0] if table in ("page", "redirect", "linktarget") else f"{names[0]}`,`{names[-1]}"
    head += f"  PRIMARY KEY (`{key}`),\n  KEY `other` (`{names[1]}`,`{names[0]}`)\n"
    head += ") ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=binary;\n\n--\n-- Dumping data for table `%s`\n--\n\n" % table
    head += f"LOCK TABLES `{table}` WRITE;\n/*!40000 ALTER TABLE `{table}` DISABLE KEYS */;\n"
    out = [head.encode()]
    for start in range(0, len(rows), per_insert):
        tuples = [b"(" + b",".join(value(row[name]) for name in names) + b")" for row in rows[start:start + per_insert]]
        out.append(b"INSERT INTO `%s` VALUES %s;\n" % (table.encode(), b",".join(tuples)))
    out.append(f"/*!40000 ALTER TABLE `{table}` ENABLE KEYS */;\nUNLOCK TABLES;\n\n-- Dump completed on 2024\n".encode())
    return b"".join(out)


def key(title: str) -> str:
    return title.replace(" ", "_")


def rows_of(maker, year: int) -> dict[str, list[dict]]:
    """The rows of every table, in the order of the primary keys."""
    rng = random.Random("rows")
    targets: dict[tuple[int, str], int] = {}
    wanted = {link for page in maker.pages for link in page.links}
    wanted |= {(14, cat) for page in maker.pages for cat in page.cats}
    for number, link in enumerate(sorted(wanted, key=lambda link: hash_text(link))):
        targets[link] = 3 + 2 * number
    rows: dict[str, list[dict]] = {table: [] for table in TABLES}
    for page in sorted(maker.pages, key=lambda page: page.id):
        if not page.in_table:
            continue
        rows["page"].append({
            "page_id": page.id, "page_namespace": page.ns, "page_title": key(page.title), "page_restrictions": "",
            "page_counter": rng.randint(0, 2), "page_is_redirect": int(page.redirect is not None),
            "page_is_new": int(page.is_new), "page_random": rng.choice([rng.random(), 1e-05 * rng.random()]),
            "page_touched": "20150101000000", "page_links_updated": rng.choice([None, "20150101000000"]),
            "page_latest": page.id + 1000, "page_len": len(page.text.encode()), "page_content_model": "wikitext",
            "page_lang": None})
        if page.redirect and page.target_row:
            ns, title, interwiki, fragment = page.redirect
            if interwiki and year < 2010:
                continue
            rows["redirect"].append({"rd_from": page.id, "rd_namespace": ns, "rd_title": key(title),
                                     "rd_interwiki": interwiki or rng.choice([None, ""]), "rd_fragment": fragment or None})
        for link in sorted(page.links):
            rows["pagelinks"].append({"pl_from": page.id, "pl_namespace": link[0], "pl_title": key(link[1]),
                                      "pl_from_namespace": page.ns, "pl_target_id": targets[link]})
        for cat in sorted(page.cats):
            rows["categorylinks"].append({
                "cl_from": page.id, "cl_to": key(cat), "cl_sortkey": bytes(rng.choices(range(256), k=9)) + b"\n'),(\\",
                "cl_timestamp": "2015-01-01 00:00:00", "cl_sortkey_prefix": rng.choice(["", "x'y", "*"]),
                "cl_collation": "uca-default", "cl_type": "subcat" if page.ns == 14 else "page", "cl_collation_id": 1,
                "cl_target_id": targets[(14, cat)]})
    rows["linktarget"] = [{"lt_id": number, "lt_namespace": ns, "lt_title": key(title)}
                          for (ns, title), number in targets.items()]
    link_key = (lambda r: (r["pl_from"], r["pl_target_id"])) if year >= 2024 else (
        lambda r: (r["pl_from"], r["pl_namespace"], r["pl_title"].encode()))
    rows["pagelinks"].sort(key=link_key)
    cat_key = (lambda r: (r["cl_from"], r["cl_target_id"])) if year >= 2025 else (
        lambda r: (r["cl_from"], r["cl_to"].encode()))
    rows["categorylinks"].sort(key=cat_key)
    return rows


def hash_text(link: tuple[int, str]) -> int:
    return random.Random(repr(link)).getrandbits(40)


def write_tables(maker, out: pathlib.Path, year: int, gz: bool) -> None:
    for table, rows in rows_of(maker, year).items():
        if table == "linktarget" and year < 2024:
            continue
        data = table_bytes(table, year, rows, 1 + maker.rng.choice([1, 7, 500]))
        write(out / f"madewiki-20200101-{table}.sql", data, gz)


def write(path: pathlib.Path, data: bytes, gz: bool) -> None:
    if gz:
        path.with_name(path.name + ".gz").write_bytes(gzip.compress(data, 6, mtime=0))
    else:
        path.write_bytes(data)


def page_xml(maker, page, version: tuple[int, int]) -> str:
    space = maker.spaces[page.ns] + ":" if page.ns else ""
    out = f"  <page>\n    <title>{escape(space + page.title)}</title>\n"
    if version >= (0, 6):
        out += f"    <ns>{page.ns}</ns>\n"
    out += f"    <id>{page.id}</id>\n"
    if page.redirect and version >= (0, 4):
        ns, title, interwiki, _ = page.redirect
        target = f"{interwiki}:" if interwiki else f"{maker.spaces[ns]}:" if ns else ""
        out += f"    <redirect title={quoteattr(target + title)} />\n" if version >= (0, 6) else "    <redirect />\n"
    comment = escape("/* x */ [[Category:%s]] & [[%s]]" % (maker.cats[0], maker.names[0]))
    text = escape(page.text, {'"': "&quot;"})
    body = f'<text xml:space="preserve">{text}</text>' if text else '<text xml:space="preserve" />'
    return out + f"""    <revision>
      <id>{page.id + 1000}</id>
      <timestamp>2015-01-01T00:00:00Z</timestamp>
      <contributor><username>A &amp; B</username><id>{page.id + 1}</id></contributor>
      <comment>{comment}</comment>
      {body}
    </revision>
  </page>
"""


def write_dump(maker, out: pathlib.Path, year: int, parts: int, gz: bool) -> None:
    version = EXPORT[year]
    number = tuple(map(int, version.split(".")))
    spaces = "".join(f'      <namespace key="{key}" case="first-letter">{escape(name)}</namespace>\n'
                     if key else '      <namespace key="0" case="first-letter" />\n'
                     for key, name in sorted({**talk(maker.spaces), **maker.spaces, 0: ""}.items()))
    head = (f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-{version}/" version="{version}" '
            f'xml:lang="{maker.language}">\n  <siteinfo>\n    <sitename>Made</sitename>\n    <case>first-letter</case>\n'
            f"    <namespaces>\n{spaces}    </namespaces>\n  </siteinfo>\n")
    pages = [page for page in maker.pages if page.in_dump]
    if maker.rng.random() < 0.2:
        maker.rng.shuffle(pages)
    for part in range(parts):
        chosen = pages[len(pages) * part // parts : len(pages) * (part + 1) // parts]
        data = head + "".join(page_xml(maker, page, number) for page in chosen) + "</mediawiki>\n"
        suffix = "" if parts == 1 else f"{part + 1}.xml-p{part}p{part + 1}"
        name = f"madewiki-20200101-pages-articles{suffix or '.xml'}"
        write(out / name, data.encode("utf-8"), gz)


def write_siteinfo(maker, out: pathlib.Path, gz: bool) -> None:
    def entry(key: int, name: str) -> dict:
        return {"id": key, "*": name}

    names = {**talk(maker.spaces), **maker.spaces, 0: ""}
    own = {str(key): {**entry(key, name), "case": "first-letter"} for key, name in names.items()}
    data = {"query": {"namespaces": own, "namespacealiases": [entry(*item) for item in maker.aliases.items()]}}
    write(out / "madewiki-20200101-siteinfo-namespaces.json", json.dumps(data).encode("utf-8"), gz)


def talk(spaces: dict[int, str]) -> dict[int, str]:
    """Talk namespaces that the language's table above leaves out, and two that any wiki has."""
    pairs = {number + 1: f"{name} {spaces[1].lower()}" for number, name in spaces.items() if number != 1}
    return {**pairs, -2: "Media", -1: "Special", 8: "MediaWiki", 9: "MediaWiki talk"}


def write_texts(maker, out: pathlib.Path) -> None:
    (out / "text").mkdir(exist_ok=True)
    with open(out / "text" / "wiki_00", "w", encoding="utf-8") as file:
        for page in maker.pages:
            if page.ns == 0 and page.redirect is None and page.ready:
                row = {"id": str(page.id), "url": f"https://x/?curid={page.id}", "title": page.title, "text": page.ready}
                file.write(json.dumps(row, ensure_ascii=maker.rng.random() < 0.5) + "\n")
    (out / "punkt").mkdir(exist_ok=True)
    for name, content in maker.sentence_model().items():
        (out / "punkt" / name).write_text(content, encoding="utf-8")
