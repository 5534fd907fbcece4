"""Names of made_wiki.py: namespaces, words of redirects, titles that are hard to read."""
# Names of namespaces as the siteinfo of the dump gives them. Numbers are MediaWiki's.
SPACES = {
    "en": {1: "Talk", 2: "User", 4: "Wikipedia", 6: "File", 10: "Template", 12: "Help", 14: "Category"},
    "de": {1: "Diskussion", 2: "Benutzer", 4: "Wikipedia", 6: "Datei", 10: "Vorlage", 12: "Hilfe",
           14: "Kategorie"},
    "ltg": {1: "Sprīža", 2: "Lītuotuojs", 4: "Vikipedeja", 6: "Fails", 10: "Taiss", 12: "Paleigs",
            14: "Kategoreja"},
    "fr": {1: "Discussion", 2: "Utilisateur", 4: "Wikipédia", 6: "Fichier", 10: "Modèle", 12: "Aide",
           14: "Catégorie"},
    "ru": {1: "Обсуждение", 2: "Участник", 4: "Википедия", 6: "Файл", 10: "Шаблон", 12: "Справка",
           14: "Категория"},
    "az": {1: "Müzakirə", 2: "İstifadəçi", 4: "Vikipediya", 6: "Fayl", 10: "Şablon", 12: "Kömək",
           14: "Kateqoriya"},
}
# Further names, which are in siteinfo alone.
ALIASES = {"az": {6: "Şəkil", 14: "Bölmə"}}
# Words that begin with letters whose capitals are not everywhere the same.
WORDS = {"az": ["əsas", "ipək", "ısıq", "ə", "ilk", "ɔnu"]}
REDIRECT = {"en": "#REDIRECT", "de": "#WEITERLEITUNG", "ltg": "#REDIRECT", "fr": "#REDIRECTION",
            "ru": "#перенаправление", "az": "#YÖNLƏNDİR"}


def capital(text: str, language: str) -> str:
    """The i of Azerbaijani keeps its dot, and that without one is another letter."""
    first = {"i": "İ", "ı": "I"}.get(text[:1]) if language == "az" else None
    return (first or text[:1].upper()) + text[1:]


def small(text: str, language: str) -> str:
    first = {"İ": "i", "I": "ı"}.get(text[:1]) if language == "az" else None
    return (first or text[:1].lower()) + text[1:]


TITLES = ['"Hello, World!" program', "D'Arcy's theorem", "Back\\slash", "C++ (language)", "AT&T", "NULL",
          "2001: A made story", "Žāle", "Élan vital", "AC/DC", "x),(1,0,'y", "100% sure?", "'Quoted'",
          '"', "Emoji 😀", ".NET", "1984", "Tab; INSERT INTO", "Не́что", "A-b–c", "Wiki", 'Odd " one',
          "Ключ", "Foo (bar)", "INSERT INTO `page` VALUES (1", "*star", "Back\\", "ŽŽ/z"]

# Where a category tag may stand and still count.
AROUND = ["{{box|%s}}", "<ref>%s</ref>", "\n{|\n| %s\n|}", "<small>%s</small>", "\u200e%s", "<!-- a -->%s<!-- b -->",
          "<onlyinclude>%s</onlyinclude>", "'''%s'''", "\n* %s"]

# Ends of names that are no milestones, or not entered, by the published settings.
UNLIKELY = [" wiki", " categories", " browsers", " template", " msx games"]
