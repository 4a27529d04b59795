//! Chromium (or Chrome) and Firefox with their drivers. They are taken where they are usually found; only on
//! Debian-like systems, as root, are missing ones installed. No browser is ever downloaded behind the user's back.

use super::cargo_tools;
use crate::process::{command, find, output, run};
use anyhow::{Context, Result};
use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

pub struct Browsers {
    pub chromium: PathBuf,
    pub chromedriver: PathBuf,
    pub firefox: PathBuf,
    pub geckodriver: PathBuf,
}

impl fmt::Display for Browsers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { chromium, chromedriver, firefox, geckodriver } = self;
        writeln!(f, "Chromium  {}, driven by {}", chromium.display(), chromedriver.display())?;
        write!(f, "Firefox   {}, driven by {}", firefox.display(), geckodriver.display())
    }
}

pub fn ensure() -> Result<Browsers> {
    cargo_tools::ensure_geckodriver()?;
    let missing: Vec<&str> =
        [(chromium(), "chromium"), (chromedriver(), "chromium-driver"), (firefox(), "firefox-esr")]
            .into_iter()
            .filter_map(|(found, debian_package)| found.is_none().then_some(debian_package))
            .collect();
    if !missing.is_empty() && may_use_apt() {
        apt_install(&missing)?;
    }
    Ok(Browsers {
        chromium: chromium().context("no Chromium or Chrome was found: install one of them in its usual place or put it on PATH")?,
        chromedriver: chromedriver().context(
            "no chromedriver was found: install the one of your browser's version and put it on PATH (on Debian it is the package chromium-driver)",
        )?,
        firefox: firefox().context("no Firefox was found: install it in its usual place or put it on PATH")?,
        geckodriver: find("geckodriver").context("geckodriver was installed but is not found")?,
    })
}

fn chromium() -> Option<PathBuf> {
    on_path(&["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]).or_else(|| {
        in_usual_places(&[
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
            "/Applications/Chromium.app/Contents/MacOS/Chromium",
            r"Google\Chrome\Application\chrome.exe",
            r"Chromium\Application\chrome.exe",
        ])
    })
}

fn chromedriver() -> Option<PathBuf> {
    on_path(&["chromedriver"])
        .or_else(|| in_usual_places(&["/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver"]))
}

fn firefox() -> Option<PathBuf> {
    on_path(&["firefox", "firefox-esr"]).or_else(|| {
        in_usual_places(&["/Applications/Firefox.app/Contents/MacOS/firefox", r"Mozilla Firefox\firefox.exe"])
    })
}

fn on_path(names: &[&str]) -> Option<PathBuf> {
    names.iter().find_map(|name| find(name))
}

/// Absolute places as they are; relative ones below each of Windows' program folders.
fn in_usual_places(places: &[&str]) -> Option<PathBuf> {
    let program_folders: Vec<PathBuf> = ["ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"]
        .into_iter()
        .filter_map(|name| env::var_os(name).map(PathBuf::from))
        .collect();
    places
        .iter()
        .flat_map(|place| {
            if Path::new(place).is_absolute() {
                vec![PathBuf::from(place)]
            } else {
                program_folders.iter().map(|folder| folder.join(place)).collect()
            }
        })
        .find(|path| path.is_file())
}

fn may_use_apt() -> bool {
    let as_root = || command("id -u").and_then(|mut id| output(&mut id)).is_ok_and(|user| user.trim() == "0");
    Path::new("/etc/debian_version").exists() && find("apt-get").is_some() && as_root()
}

fn apt_install(packages: &[&str]) -> Result<()> {
    println!("installing {} with apt-get", packages.join(", "));
    // Another installation may hold the lock for a while, as on a machine that has just been started.
    let apt = |line: &str| {
        let mut apt = command(&format!("apt-get -q -o DPkg::Lock::Timeout=300 {line}"))?;
        run(apt.env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt("update")?;
    apt(&format!("install -y --no-install-recommends {}", packages.join(" ")))
}
