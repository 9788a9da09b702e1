"""The browser with what the tests ask of it."""

import json
import sys
from pathlib import Path

CHROMIUM, DRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
PROGRAM = Path(sys.executable).parent / "panshuffle"
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
PHONE, DESKTOP = (390, 844), (1280, 900)


class Window:
    """The browser with what the tests ask of it."""

    def __init__(self, driver):
        self.driver = driver
        self.run = driver.execute_script

    def size(self, width, height):
        """A screen of this size, as the page sees it."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def media(self, kind="", scheme="light"):
        """Paper or screen, dark or light."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": features})

    def open(self, address):
        """Loads the page; what was logged before is forgotten."""
        self.driver.get("about:blank")
        self.requested()
        self.complaints()
        self.driver.get(address)

    def requested(self):
        """The addresses that were asked for since the last time."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def complaints(self):
        """What the browser's console said since the last time."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def all(self, selector):
        """The elements that a selector finds."""
        return self.driver.find_elements("css selector", selector)

    def one(self, selector):
        """The element that a selector finds."""
        return self.driver.find_element("css selector", selector)

    def too_wide(self, width):
        """How many pixels the page is wider than the window, which a phone widens for a page that does not fit."""
        return self.run("return Math.max(document.documentElement.scrollWidth, innerWidth)") - width
