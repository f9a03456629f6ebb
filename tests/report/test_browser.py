"""The page in a real browser: Debian's Chromium, without a screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser_contrast import CONTRAST
from chromium import (
    NEEDS_BROWSER,
    By,
    Keys,
    Select,
    WebDriverWait,
    expected_conditions,
    resize,
    start_chromium,
    webdriver,
)

pytestmark = NEEDS_BROWSER


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    driver = start_chromium({"browser": "ALL", "performance": "ALL"})
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def address(written: list[Path]) -> str:
    return written[0].as_uri()


@pytest.fixture
def page(driver: webdriver.Chrome, address: str) -> webdriver.Chrome:
    """The page, freshly loaded, 1280 pixels wide."""
    resize(driver, 1280)
    driver.get(address)
    return driver


def press(driver: webdriver.Chrome, selector: str) -> None:
    """By keyboard, as everything must be operable."""
    element = WebDriverWait(driver, 10).until(
        expected_conditions.element_to_be_clickable((By.CSS_SELECTOR, selector))
    )
    element.send_keys(Keys.ENTER)


def column(page: webdriver.Chrome, number: int) -> list[str]:
    cells = page.find_elements(By.CSS_SELECTOR, f"#content section table tbody tr > :nth-child({number})")
    return [cell.text for cell in cells[:3]]


def test_it_loads_without_complaints_and_without_the_network(page: webdriver.Chrome, address: str):
    assert page.get_log("browser") == []
    assert "pwned" not in page.title.split("A report")[0] and page.title.startswith("A report ")
    requested = page.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
    assert requested == []


def test_hostile_text_did_not_run(page: webdriver.Chrome):
    page.execute_script("document.querySelectorAll('button.derivation').forEach(b => b.click())")
    page.execute_script("document.querySelectorAll('.rule').forEach(b => b.click())")
    assert page.title.startswith("A report </script>")
    assert not page.find_elements(By.CSS_SELECTOR, "img")
    assert page.get_log("browser") == []


def test_tables_sort_by_any_column(page: webdriver.Chrome):
    heading = "#content section table thead tr:last-child th:nth-child(%d)"
    assert column(page, 1) == ["a", "b", "c"]
    press(page, heading % 2 + " button")
    assert column(page, 1) == ["b", "a", "c"]  # 10.25 > 9.5, and a dash comes last
    assert page.find_element(By.CSS_SELECTOR, heading % 2).get_attribute("aria-sort") == "descending"
    press(page, heading % 2 + " button")
    assert column(page, 1) == ["a", "b", "c"]
    press(page, heading % 3 + " button")
    assert column(page, 3) == ["1,200", "30", "4"]
    assert page.find_element(By.CSS_SELECTOR, heading % 2).get_attribute("aria-sort") is None


def test_examples_sort_by_gain_and_can_be_searched(page: webdriver.Chrome):
    def shown() -> list[float]:
        cards = page.find_elements(By.CSS_SELECTOR, "article:not([hidden])")
        return [float(card.get_attribute("data-gain1")) for card in cards]

    assert shown() == sorted(shown(), reverse=True) and len(shown()) == 10
    Select(page.find_element(By.NAME, "order")).select_by_value("gain1:1")
    assert shown() == sorted(shown()) and shown()[0] < 0
    press(page, ".more")
    assert len(shown()) == 20
    press(page, ".more")
    assert len(shown()) == 24 and not page.find_element(By.CSS_SELECTOR, ".more").is_displayed()
    page.find_element(By.NAME, "find").send_keys("Haus 7 ")
    assert len(shown()) <= 1
    assert "shown" in page.find_element(By.CSS_SELECTOR, ".controls output").text


def test_trees_open_and_rules_add_up(page: webdriver.Chrome):
    opener = "article:not([hidden]) button.derivation"
    press(page, opener)
    assert page.find_element(By.CSS_SELECTOR, opener).get_attribute("aria-expanded") == "true"
    rules = page.find_elements(By.CSS_SELECTOR, "article:not([hidden]) .rule")
    assert len(rules) == 7  # goal, two glue rules, three words, a rule with gaps
    assert "the sum over 7 rules" in page.find_element(By.CSS_SELECTOR, ".tree .note").text
    with_gaps = next(rule for rule in rules if "das" in rule.text)
    assert " ".join(with_gaps.text.split()) == "das X1 X2 → the X2 X1 +1.2500"
    with_gaps.send_keys(Keys.ENTER)
    table = page.find_element(By.CSS_SELECTOR, ".features:not([hidden]) table")
    parts = [cell.text for cell in table.find_elements(By.CSS_SELECTOR, "tbody td:last-child")]
    assert parts == ["+0.7500", "+0.5000"]
    assert table.find_element(By.CSS_SELECTOR, "tfoot td").text == "+1.2500"
    with_gaps.send_keys(Keys.ENTER)
    assert not page.find_elements(By.CSS_SELECTOR, ".features:not([hidden])")


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_no_screen_scrolls_sideways(page: webdriver.Chrome, address: str, width: int):
    resize(page, width)
    page.get(address)
    press(page, "article:not([hidden]) button.derivation")
    page.execute_script("document.querySelectorAll('.rule').forEach(b => b.click())")
    page.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.execute_script("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast(page: webdriver.Chrome, scheme: str):
    """4.5 to 1 as WCAG AA wants it, for every colour of text on every background it stands on."""
    page.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    worst = page.execute_script(CONTRAST)
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert worst[0] >= 4.5, worst
