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

    def unfold(self):
        """Opens all that is folded."""
        self.run("for (const item of document.querySelectorAll('details')) item.open = true")

    def misfits(self, size, opened):
        """What is wider than a window of this size, folded or opened: how much the page is, and parts of it."""
        self.size(*size)
        if opened:
            self.unfold()
        return max(0, self.too_wide(size[0])), self.sideways()

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

    def sideways(self):
        """The elements that reach beyond the right edge and are in no box that scrolls."""
        return self.run("""const wide = document.documentElement.clientWidth + 1;
          const boxed = (e) => { for (let p = e.parentElement; p; p = p.parentElement)
            if (["auto", "scroll", "hidden"].includes(getComputedStyle(p).overflowX)) return true; return false; };
          const out = (e) => e.getClientRects().length && e.getBoundingClientRect().right > wide;
          return [...document.querySelectorAll("body *")].filter((e) => out(e) && !e.closest("svg, math") && !boxed(e))
            .map((e) => e.outerHTML.slice(0, 120));""")

    def faint(self):
        """Texts whose contrast with what is behind them is below 4.5 (3 for large ones), by the guidelines' formula."""
        return self.run("""const parse = (c) => c.match(/[0-9.]+/g).map(Number);
          const linear = (v) => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
          const lum = (c) => 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
          const mix = (top, under, a) => top.slice(0, 3).map((v, i) => v * a + under[i] * (1 - a));
          const behind = (e) => { const layers = []; for (let p = e; p; p = p.parentElement) {
            const c = parse(getComputedStyle(p).backgroundColor), a = c.length > 3 ? c[3] : 1;
            if (a > 0) layers.push([c, a]); if (a === 1) break; }
            return layers.reverse().reduce((under, [c, a]) => mix(c, under, a), [255, 255, 255]); };
          const seen = new Map();
          const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          for (let node = walk.nextNode(); node; node = walk.nextNode()) {
            const e = node.parentElement;
            if (!node.textContent.trim() || !e.getClientRects().length) continue;
            if (e.closest("svg, script, style, option")) continue;
            const style = getComputedStyle(e);
            if (style.visibility === "hidden") continue;
            let opacity = 1; for (let p = e; p; p = p.parentElement) opacity *= Number(getComputedStyle(p).opacity);
            const under = behind(e), c = parse(style.color), ink = mix(c, under, (c.length > 3 ? c[3] : 1) * opacity);
            const [high, low] = [lum(ink), lum(under)].sort((a, b) => b - a), size = parseFloat(style.fontSize);
            const large = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700);
            const ratio = (high + 0.05) / (low + 0.05);
            const name = `${e.tagName}.${e.className} ${style.color} on ${under.map(Math.round)}`;
            if (ratio < (large ? 3 : 4.5)) seen.set(name, ratio);
          }
          return [...seen].map(([name, ratio]) => `${name}: ${ratio.toFixed(2)}`);""")

    def focused(self, steps):
        """What the tabulator reaches, step by step: the vertical place of each."""
        from selenium.webdriver.common.keys import Keys

        places = []
        for _ in range(steps):
            self.driver.switch_to.active_element.send_keys(Keys.TAB)
            places.append(self.run("return document.activeElement.outerHTML.slice(0, 100)"))
        return places
