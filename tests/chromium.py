"""Pages in a real browser: Debian's Chromium, without a screen. Whoever imports this is skipped where selenium is not installed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support import expected_conditions  # noqa: E402
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

__all__ = [
    "NEEDS_BROWSER",
    "By",
    "Keys",
    "Select",
    "WebDriverWait",
    "expected_conditions",
    "resize",
    "start_chromium",
    "webdriver",
]

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
NEEDS_BROWSER = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (CHROMIUM and DRIVER), reason="no browser: apt-get install chromium chromium-driver"
    ),
]


def start_chromium(logs: dict[str, str], downloads: Path | None = None) -> webdriver.Chrome:
    """A browser without a window.

    Args:
        logs: which of its logs are kept, and from which level on.
        downloads: where files go that a page offers; None: no page offers any.
    """
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", logs)
    if downloads is not None:
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    if downloads is not None:
        where = {"behavior": "allow", "downloadPath": str(downloads)}
        driver.execute_cdp_cmd("Browser.setDownloadBehavior", where)
    return driver


def resize(driver: webdriver.Chrome, width: int) -> None:
    """A window so many pixels wide; a narrow one is a telephone's."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
