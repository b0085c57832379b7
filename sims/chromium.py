"""Chromium at the brain view: a headless browser that asks nobody but the daemon, and tells what the page did.

1. Chromium and its driver come from the system (Debian: `chromium`, `chromium-driver`); nothing is downloaded.
2. The browser resolves no name and reports nowhere, so a request that leaves the machine is the page's own, and fails.
3. Everything the page asked for and every complaint of its console is kept until it is taken: `asked`, `complaints`.
4. Waiting is polling, and bounded: `Page.wait`.
"""

from __future__ import annotations

import json
import shutil
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

PROGRAMS = ("chromium", "chromedriver")
_FLAGS = (
    "--headless=new", "--disable-gpu",
    "--no-sandbox", "--disable-dev-shm-usage",  # as root in a container there is no sandbox, and little shared memory
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
    "--disable-default-apps", "--disable-extensions", "--disable-breakpad", "--disable-domain-reliability",
    # A page that is left must be gone: kept for a way back, it would hold one of the six connections to the daemon.
    "--disable-features=BackForwardCache,OptimizationHints,MediaRouter,Translate,AutofillServerCommunication",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--force-device-scale-factor=1", "--hide-scrollbars", "--force-color-profile=srgb", "--lang=en",
)
_WIDTH, _HEIGHT = 1280, 800
_JPEG_QUALITY = 90
_SECONDS_MAX = 300.0
_POLL_SECONDS = 0.05
_T = TypeVar("_T")


class Request(NamedTuple):
    """One request of the page: its URL, its headers (names in lower case), and Chromium's word for what it is for."""

    url: str
    headers: dict[str, str]
    kind: str


class Complaint(NamedTuple):
    """One line of the console that is an error: who said it (`network`, `javascript`, `security`, …), and what."""

    source: str
    text: str


def missing() -> str | None:
    """The first program that is not here, or None."""
    return next((name for name in PROGRAMS if shutil.which(name) is None), None)


@contextmanager
def chromium(folder: Path, *flags: str) -> Iterator[Page]:
    """A browser with a page, for as long as the block runs.

    Args:
        folder: for its profile, fresh. flags: further ones of Chromium's.
    """
    options = ChromeOptions()
    options.binary_location = shutil.which(PROGRAMS[0]) or ""
    for flag in (*_FLAGS, f"--user-data-dir={folder}", *flags):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.add_experimental_option("perfLoggingPrefs", {"enableNetwork": True, "enablePage": False})
    driver = Chrome(options, Service(shutil.which(PROGRAMS[1]) or ""))
    try:
        page = Page(driver)
        page.leave()
        yield page
    finally:
        driver.quit()


class Page:
    """One page of a browser."""

    def __init__(self, driver: Chrome) -> None:
        self._driver = driver
        self._asked: list[Request] = []
        self._complaints: list[Complaint] = []
        self._names: dict[str, str] = {}
        self._early_headers: dict[str, list[dict[str, str]]] = {}
        self._early: str | None = None

    # What a person does

    def open(self, url: str) -> None:
        """Goes there, and waits until the page has come to be."""
        self._driver.get(url)

    def leave(self) -> None:
        """Goes nowhere, as new: no emulation, no storage, nothing noted."""
        origin = self.run("return location.origin")
        self._driver.get("about:blank")
        if str(origin).startswith("http"):
            self.tell("Storage.clearDataForOrigin", origin=origin, storageTypes="all")
        self.tell("Emulation.setEmulatedMedia", media="", features=[])
        self.tell("Network.clearBrowserCache")
        self.size(_WIDTH, _HEIGHT)
        self.run_early(None)
        self._read_logs()
        self._asked, self._complaints, self._names = [], [], {}
        self._early_headers = {}

    def click(self, selector: str) -> None:
        """Clicks where the first that matches lies, once it can be clicked."""
        self.wait(lambda: self._clicked(selector), f"a click on {selector}")

    def _clicked(self, selector: str) -> bool:
        found = self.find(selector)
        if not found or not found[0].is_displayed():
            return False
        try:
            found[0].click()
        except WebDriverException:  # it moves, or was drawn anew meanwhile
            return False
        return True

    def type(self, selector: str, text: str) -> None:
        """Writes into a field, in place of what stands there."""
        [field] = self.find(selector)
        field.clear()
        field.send_keys(text)

    def keys(self, *keys: str) -> None:
        """Presses keys where the focus is; `Keys` of the driver, or characters."""
        ActionChains(self._driver, duration=0).send_keys(*keys).perform()

    # What a person sees

    def find(self, selector: str) -> list[WebElement]:
        """Every element that matches."""
        return self._driver.find_elements(By.CSS_SELECTOR, selector)

    def shows(self, selector: str) -> bool:
        """Whether something that matches is displayed."""
        return any(self.run(_SHOWN, selector))

    def text(self, selector: str) -> str:
        """The text of the first that matches, '' where there is none."""
        return str(self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector))

    def value(self, selector: str, attribute: str) -> str | None:
        """An attribute of the first that matches."""
        found = self.run("return document.querySelector(arguments[0])?.getAttribute(arguments[1]) ?? null",
                         selector, attribute)
        return None if found is None else str(found)

    def picture(self) -> bytes:
        """The window as JPEG: a quiet ground of many shades is six times as large as PNG."""
        return b64decode(self.tell("Page.captureScreenshot", format="jpeg", quality=_JPEG_QUALITY)["data"])

    # What it is made to believe

    def emulate(self, **features: str) -> None:
        """Media features by their names, `_` for `-`: prefers_reduced_motion="reduce"."""
        self.tell("Emulation.setEmulatedMedia", media="", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def size(self, width: int, height: int, *, phone: bool = False, scale: float = 1) -> None:
        """The size of the window in CSS pixels; `scale`: the screen's pixels in each of them."""
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=phone)
        self.tell("Emulation.setTouchEmulationEnabled", enabled=phone)

    def run_early(self, script: str | None) -> None:
        """What every page runs before its own scripts, from the next one on."""
        if self._early is not None:
            self.tell("Page.removeScriptToEvaluateOnNewDocument", identifier=self._early)
        self._early = None if script is None else self.tell(
            "Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]

    # What a test asks

    def run(self, script: str, *arguments: Any) -> Any:
        """What a function with this body returns in the page."""
        return self._driver.execute_script(script, *arguments)

    def run_until_told(self, script: str, *arguments: Any) -> Any:
        """What this body hands to its last argument, which is a function."""
        self._driver.set_script_timeout(_SECONDS_MAX)
        return self._driver.execute_async_script(script, *arguments)

    def tell(self, command: str, **arguments: Any) -> Any:
        """A command of Chromium's own protocol; what it answers."""
        return self._driver.execute_cdp_cmd(command, arguments)

    def wait(self, what: Callable[[], _T], said: str, seconds: float = _SECONDS_MAX) -> _T:
        """The first true answer.

        Raises:
            TimeoutError: there was none; it names what was waited for, and the last answer.
        """
        end = time.monotonic() + seconds
        while True:
            answer = what()
            if answer:
                return answer
            if time.monotonic() > end:
                raise TimeoutError(f"waited {seconds:.0f} s for {said}; the last answer is {answer!r}")
            time.sleep(_POLL_SECONDS)

    @property
    def asked(self) -> list[Request]:
        """Every request since the page was left."""
        self._read_logs()
        return self._asked

    @property
    def complaints(self) -> list[Complaint]:
        """Every error of the console since the page was left."""
        self._read_logs()
        return self._complaints

    def _read_logs(self) -> None:
        for line in self._driver.get_log("performance"):
            said = json.loads(line["message"])["message"]
            self._note(said["method"], said["params"])
        for line in self._driver.get_log("browser"):
            if line["level"] == "SEVERE":
                self._complaints.append(Complaint(line["source"], line["message"]))

    def _note(self, method: str, said: dict[str, Any]) -> None:
        match method:
            case "Network.requestWillBeSent":
                name = self._names[said["requestId"]] = said["request"]["url"]
                self._asked.append(Request(name, _lower(said["request"]["headers"]), said.get("type", "Other")))
                for headers in self._early_headers.pop(said["requestId"], []):
                    self._asked.append(Request(name, headers, "sent"))
            case "Network.requestWillBeSentExtraInfo":  # what the network adds, such as Last-Event-ID; may come first
                if (name := self._names.get(said["requestId"])) is not None:
                    self._asked.append(Request(name, _lower(said["headers"]), "sent"))
                else:
                    self._early_headers.setdefault(said["requestId"], []).append(_lower(said["headers"]))
            case "Network.webSocketCreated" | "Network.webTransportCreated":
                self._asked.append(Request(said["url"], {}, method))


def _lower(headers: dict[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


_SHOWN = """
return [...document.querySelectorAll(arguments[0])].map((one) => one.checkVisibility({ visibilityProperty: true })
  && one.getClientRects().length > 0);
"""
