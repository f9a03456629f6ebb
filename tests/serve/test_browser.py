"""The workbench in a real browser: Debian's Chromium, without a screen."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import pytest

from browser_contrast import CONTRAST
from chromium import NEEDS_BROWSER, By, Keys, Select, WebDriverWait, resize, start_chromium, webdriver
from demotic.adapt.evidence import evidence_of
from demotic.decode import TranslationModel
from small_service import served

AXE = Path(sys.prefix) / "npm" / "node_modules" / "axe-core" / "axe.min.js"  # put there by `make test-all`
KEY = "a key of the teacher"
pytestmark = NEEDS_BROWSER


@pytest.fixture(scope="module")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def driver(downloads: Path) -> Iterator[webdriver.Chrome]:
    driver = start_chromium({"browser": "ALL"}, downloads)
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def queue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("queue") / "suggestions.jsonl"


@pytest.fixture(scope="module")
def address(
    calibrated: Path, sparse_model_folder: Path, queue: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    second = tmp_path_factory.mktemp("second") / "sparse"
    shutil.copytree(sparse_model_folder, second)
    with served(calibrated, second, "--suggestions", queue, "--no-log") as (_, port):
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture
def page(driver: webdriver.Chrome, address: str) -> webdriver.Chrome:
    resize(driver, 1280)
    driver.get(address)
    return driver


def wait(page: webdriver.Chrome, condition: Callable[[], object]) -> None:
    WebDriverWait(page, 60).until(lambda _: condition())


def status(page: webdriver.Chrome) -> str:
    return page.find_element(By.ID, "status").text


def translate(page: webdriver.Chrome, text: str) -> list[str]:
    """With the keyboard alone."""
    box = page.find_element(By.ID, "text")
    box.clear()
    box.send_keys(text)
    box.send_keys(Keys.CONTROL, Keys.ENTER)
    wait(page, lambda: "translated" in status(page))
    return [each.text for each in page.find_elements(By.CSS_SELECTOR, ".target")]


def press(page: webdriver.Chrome, label: str) -> None:
    page.find_element(By.CSS_SELECTOR, f'button[aria-label="{label}"]').send_keys(Keys.ENTER)


def explain(page: webdriver.Chrome) -> None:
    press(page, "Explain the words of sentence 1")
    wait(page, lambda: page.find_elements(By.CSS_SELECTOR, ".word"))


def test_sentences_stand_beside_their_translations(page: webdriver.Chrome, model, lines: list[str]):
    expected = list(model.translate(lines))
    assert translate(page, f"{lines[0]} {lines[1]}\n\n{lines[2]}") == expected
    sources = [each.text for each in page.find_elements(By.CSS_SELECTOR, ".sides > :first-child p")]
    assert sources == lines
    assert page.get_log("browser") == []


def test_a_word_shows_its_rule_and_alternatives(page: webdriver.Chrome, lines: list[str]):
    (text,) = translate(page, lines[0])
    explain(page)
    assert page.find_element(By.CSS_SELECTOR, ".target").text == text
    word = page.switch_to.active_element
    assert "word" in word.get_attribute("class")
    word.send_keys(Keys.ENTER)
    assert word.get_attribute("aria-expanded") == "true"
    panel = page.find_element(By.CSS_SELECTOR, ".panel:not([hidden])")
    assert "→" in panel.text and panel.find_elements(By.CSS_SELECTOR, "tbody tr")
    rules = [each.text for each in panel.find_elements(By.CSS_SELECTOR, "ul li")]
    assert rules and all(each.endswith(")") for each in rules)
    word.send_keys(Keys.ENTER)
    assert not page.find_elements(By.CSS_SELECTOR, ".panel:not([hidden])")


def test_a_word_shows_the_training_pairs_behind_it(
    page: webdriver.Chrome, model: TranslationModel, lines: list[str]
):
    translate(page, lines[0])
    explain(page)
    page.switch_to.active_element.send_keys(Keys.ENTER)
    panel = page.find_element(By.CSS_SELECTOR, ".panel:not([hidden])")
    pairs = panel.find_elements(By.CSS_SELECTOR, ".pairs li")
    expected = {
        (f"Line {example.line}", unescape(" ".join(example.source)), unescape(" ".join(example.target)))
        for rule in evidence_of(model, lines[0]).rules
        for example in rule.examples
    }
    assert pairs and {tuple(pair.text.split("\n")) for pair in pairs} <= expected
    marked = [each.text for each in pairs[0].find_elements(By.TAG_NAME, "mark")]
    assert marked and all(part in panel.find_element(By.CSS_SELECTOR, ".rule").text for part in marked)


def test_confidence_is_said_and_coloured(page: webdriver.Chrome, lines: list[str]):
    translate(page, " ".join(lines))
    notes = page.find_elements(By.CSS_SELECTOR, ".confidence")
    assert len(notes) == len(lines)
    for note in notes:
        found = re.fullmatch(r"Confidence (\d+)% \((high|medium|low)\)", note.text)
        assert found and found[2] in note.get_attribute("class")


def test_terms_of_the_glossary_are_used(page: webdriver.Chrome):
    page.find_element(By.CSS_SELECTOR, "details.glossary summary").send_keys(Keys.ENTER)
    page.find_element(By.ID, "glossary").send_keys("# terms", Keys.ENTER, "Haus = SHED")
    assert "SHED" in translate(page, "das Haus ist alt")[0]
    page.find_element(By.ID, "glossary").clear()
    page.find_element(By.ID, "glossary").send_keys("Haus")
    page.find_element(By.ID, "text").send_keys(Keys.CONTROL, Keys.ENTER)
    wait(page, lambda: page.find_element(By.ID, "error").text)
    assert "glossary in line 1" in page.find_element(By.ID, "error").text


def test_a_catalogue_comes_back_translated(page: webdriver.Chrome, downloads: Path, tmp_path: Path):
    catalogue = tmp_path / "app.po"
    catalogue.write_text('msgid ""\nmsgstr ""\n\nmsgid "das Haus %s"\nmsgstr ""\n', "utf-8")
    page.find_element(By.ID, "document").send_keys(str(catalogue))
    wait(page, lambda: "1 segments translated" in status(page))
    wait(page, (downloads / "app.en.po").exists)
    text = (downloads / "app.en.po").read_text("utf-8")
    assert text.startswith('msgid ""\nmsgstr ""\n') and text.count("%s") == 2


def test_a_correction_is_learnt_and_changes_the_next_answer(
    driver: webdriver.Chrome, learnable: Path, tmp_path: Path
):
    folder, keys = tmp_path / "pupil", tmp_path / "keys.toml"
    shutil.copytree(learnable, folder, ignore=shutil.ignore_patterns("run"))
    keys.write_text(f'[keys.teacher]\nkey = "{KEY}"\nlearn = true\n', "utf-8")
    with served(folder, "--learn", "--keys", keys, "--no-log") as (_, port):
        driver.get(f"http://127.0.0.1:{port}/")
        driver.find_element(By.ID, "key").send_keys(KEY)
        text = "das blaue Haus schläft"
        (before,) = translate(driver, text)
        press(driver, "Edit the translation of sentence 1")
        box = driver.switch_to.active_element
        box.clear()
        box.send_keys("The blue house sleeps deeply", Keys.CONTROL, Keys.ENTER)
        wait(driver, lambda: "Learnt" in status(driver))
        driver.get(f"http://127.0.0.1:{port}/")
        driver.find_element(By.ID, "key").send_keys(KEY)
        (after,) = translate(driver, text)
    assert before != after == "The blue house sleeps deeply"


def test_an_edit_is_kept_and_suggested(page: webdriver.Chrome, lines: list[str], queue: Path):
    translate(page, lines[0])
    press(page, "Edit the translation of sentence 1")
    box = page.switch_to.active_element
    assert box.get_attribute("aria-label") == "Translation of sentence 1"
    box.clear()
    box.send_keys("Something <b>else</b>.")
    box.send_keys(Keys.CONTROL, Keys.ENTER)
    wait(page, lambda: "suggestion" in status(page))
    assert page.find_element(By.CSS_SELECTOR, ".target.edited").text == "Something <b>else</b>."
    kept = json.loads(queue.read_text("utf-8").splitlines()[-1])
    assert (kept["source"], kept["suggestion"]) == (lines[0], "Something <b>else</b>.")


def test_another_translation_can_be_chosen(page: webdriver.Chrome, lines: list[str]):
    (text,) = translate(page, lines[0])
    press(page, "Others: more translations of sentence 1")
    wait(page, lambda: page.find_elements(By.CSS_SELECTOR, ".panel li"))
    choice = page.switch_to.active_element
    chosen = choice.text
    assert chosen and chosen != text
    choice.send_keys(Keys.ENTER)
    assert page.find_element(By.CSS_SELECTOR, ".target.edited").text == chosen


def test_two_models_are_compared(page: webdriver.Chrome, lines: list[str]):
    other = Select(page.find_element(By.ID, "other"))
    other.select_by_value("sparse")
    translate(page, " ".join(lines))
    assert len(page.find_elements(By.CSS_SELECTOR, ".other p")) == len(lines)
    press(page, "Why different? The two models on sentence 1")
    wait(page, lambda: page.find_elements(By.CSS_SELECTOR, ".panel:not([hidden])"))
    assert re.search("same translation|Why the two models differ", page.find_element(By.ID, "panel-0").text)


def test_files_come_in_and_go_out(page: webdriver.Chrome, downloads: Path, tmp_path: Path, lines: list[str]):
    table = tmp_path / "in.tsv"
    table.write_text("".join(f"{line}\tx\n" for line in lines), "utf-8")
    page.find_element(By.ID, "file").send_keys(str(table))
    wait(page, lambda: "opened" in status(page))
    assert page.find_element(By.ID, "text").get_attribute("value") == "\n".join(lines)
    page.find_element(By.CSS_SELECTOR, "button.main").send_keys(Keys.ENTER)
    wait(page, lambda: "translated" in status(page))
    texts = [each.text for each in page.find_elements(By.CSS_SELECTOR, ".target")]
    for name in ("text", "table"):
        page.find_element(By.ID, f"save-{name}").send_keys(Keys.ENTER)
    wait(page, lambda: (downloads / "translation.tsv").exists() and (downloads / "translation.txt").exists())
    assert (downloads / "translation.txt").read_text("utf-8").splitlines() == texts
    rows = (downloads / "translation.tsv").read_text("utf-8").splitlines()
    assert rows == [f"{line}\t{text}" for line, text in zip(lines, texts, strict=True)]


def test_text_is_shown_as_text(page: webdriver.Chrome):
    translate(page, "<script>document.title = 1</script> <img src=x onerror=alert(1)>")
    explain(page)
    assert page.title == "Demotic workbench"
    assert not page.find_elements(By.CSS_SELECTOR, "#sentences img, #sentences script")


def test_what_is_refused_is_said(page: webdriver.Chrome):
    box = page.find_element(By.ID, "text")
    page.execute_script("arguments[0].value = 'wort '.repeat(300)", box)
    box.send_keys(Keys.CONTROL, Keys.ENTER)
    wait(page, lambda: page.find_element(By.ID, "error").text)
    assert "300 words, more than 150" in page.find_element(By.ID, "error").text


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_no_screen_scrolls_sideways(page: webdriver.Chrome, address: str, width: int, lines: list[str]):
    resize(page, width)
    page.get(address)
    translate(page, " ".join(lines))
    explain(page)
    page.switch_to.active_element.send_keys(Keys.ENTER)
    assert page.execute_script("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_and_controls_have_names(page: webdriver.Chrome, scheme: str, lines: list[str]):
    features = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", features)
    translate(page, " ".join(lines))
    explain(page)
    page.switch_to.active_element.send_keys(Keys.ENTER)
    worst = page.execute_script(CONTRAST)
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert worst[0] >= 4.5, worst
    page.execute_script("for (const each of document.querySelectorAll('details')) each.open = true")
    controls = page.find_elements(By.CSS_SELECTOR, "button, select, input, textarea")
    assert len(controls) > 10 and all(each.accessible_name for each in controls)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_has_no_findings(page: webdriver.Chrome, address: str, scheme: str, width: int, lines: list[str]):
    """With all that the page can show: a rule with its evidence, other translations, a comparison, an editor."""
    features = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", features)
    resize(page, width)
    page.get(address)
    page.find_element(By.CSS_SELECTOR, "details.glossary summary").send_keys(Keys.ENTER)
    Select(page.find_element(By.ID, "other")).select_by_value("sparse")
    translate(page, " ".join(lines))
    explain(page)
    page.switch_to.active_element.send_keys(Keys.ENTER)
    press(page, "Others: more translations of sentence 2")
    wait(page, lambda: page.find_elements(By.CSS_SELECTOR, "#panel-1 summary"))
    page.find_element(By.CSS_SELECTOR, "#panel-1 summary").send_keys(Keys.ENTER)
    press(page, "Edit the translation of sentence 3")
    page.execute_script(AXE.read_text("utf-8"))
    found = page.execute_async_script("axe.run(document).then(arguments[arguments.length - 1])")
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert len(found["passes"]) > 20  # it has looked
    findings = [(each["impact"], each["id"], each["nodes"][0]["html"]) for each in found["violations"]]
    assert findings == []
