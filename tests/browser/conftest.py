"""A real browser: Debian's chromium, without a window, a fresh profile for each session."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.browser.window import CHROMIUM, DRIVER, FLAGS, PROGRAM, Window


@pytest.fixture(scope="session")
def window(tmp_path_factory):
    if not (CHROMIUM.exists() and DRIVER.exists()):
        words = f"the browser tests need {CHROMIUM} and {DRIVER}: apt-get install chromium chromium-driver"
        pytest.fail(words, pytrace=False)
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(executable_path=str(DRIVER)))
    driver.set_page_load_timeout(60)
    yield Window(driver)
    driver.quit()


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """The page as `panshuffle report` writes it; PANSHUFFLE_REPORT names one that is there already."""
    ready = os.environ.get("PANSHUFFLE_REPORT")
    if ready:
        return Path(ready).resolve()
    path = tmp_path_factory.mktemp("report") / "report.html"
    subprocess.run([PROGRAM, "report", "-o", path, "--quiet"], check=True, capture_output=True)
    return path


@pytest.fixture(scope="session")
def explorer():
    """The address of a running explorer."""
    command = [PROGRAM, "explore", "--no-browser", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield json.loads(process.stdout.readline())["address"]
        process.terminate()
