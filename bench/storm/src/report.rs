//! `bench/results/storm.md` and its plots. `bench/RESULTS.md` is made of it, and of what the other benches found.

use crate::bars::{self, Bar};
use crate::contender::Contender;
use crate::designs::{self, DESIGNS};
use crate::figures::{self, DRAWN_S, Figures, SEED};
use crate::gates;
use crate::one_page;
use crate::peers::PEERS;
use crate::plot::{Axis, Plot, Series};
use crate::scenario::{self, Scenario};
use std::fmt::Write;
use std::path::Path;
use steadfetch::policy::plan::Kind;

type Runs = Vec<(Scenario, Contender)>;

const HEAD: &str = include_str!("head.md");
const HISTORY: &str = include_str!("history.md");

/// Runs everything and writes it down. Whether nothing is worse than it was.
pub fn write() -> Result<bool, String> {
    let folder = &Path::new(env!("CARGO_MANIFEST_DIR")).join("../results");
    let runs: Runs = Scenario::all()
        .into_iter()
        .flat_map(|scenario| Contender::all().into_iter().map(move |contender| (scenario.clone(), contender)))
        .collect();
    let never = |scenario| (scenario, Contender::never_repeating());
    let mut others: Runs = designs::scenarios().into_iter().map(never).collect();
    others.extend(DESIGNS.iter().flat_map(designs::runs));
    others.extend(gates::scenarios().map(never));
    others.extend(gates::DESIGNS.iter().flat_map(gates::runs));
    let all: Runs = runs.iter().chain(&others).cloned().collect();
    let figures = figures::all(&all);
    let (own, other) = figures.split_at(runs.len());
    let bars = bars::judge(&runs, own);

    let mut text = HEAD.replace("SEED", &SEED.to_string());
    write_models(&mut text);
    write_bars(&mut text, &bars);
    for (runs, figures) in runs.chunks(Contender::all().len()).zip(own.chunks(Contender::all().len())) {
        write_scenario(&mut text, runs, figures);
    }
    let columns = designs::scenarios().len();
    let (circuits, gates) = other.split_at(columns * (DESIGNS.len() + 1));
    write_designs(&mut text, circuits, columns);
    write_gates(&mut text, gates);
    text.push_str(HISTORY);

    put(folder, "storm.md", &text)?;
    put(folder, "storm.bars.json", &bars_as_json(&bars))?;
    let outage = plots_of(&runs, own, &Scenario::outage(scenario::STEADY));
    put(folder, "storm-outage-success.svg", &success(&outage).svg())?;
    put(folder, "storm-outage-requests.svg", &requests(&outage).svg())?;
    let costly = plots_of(
        &runs,
        own,
        &Scenario::overload("overload, 429 with Retry-After at a tenth", scenario::STEADY, true, Some(429)),
    );
    put(folder, "storm-overload-requests.svg", &asked_to_wait(&costly).svg())?;
    put(folder, "storm-frontier.svg", &frontier(circuits, columns).svg())?;
    print!("{}", bars_as_text(&bars));
    Ok(bars.iter().all(|bar| bar.passes))
}

fn put(folder: &Path, name: &str, content: &str) -> Result<(), String> {
    std::fs::write(folder.join(name), content).map_err(|error| format!("cannot write {name}: {error}"))
}

// Writing to a string cannot fail, so its results are dropped from here on.

fn write_models(text: &mut String) {
    let _ = writeln!(text, "### Who is compared\n\n| | what the model contains |\n| --- | --- |");
    for peer in &PEERS {
        let _ = writeln!(text, "| {} | {} |", peer.name, peer.model);
    }
    let _ = writeln!(
        text,
        "| **spFetch**, **aiFetch** | the shipped `src/flow.rs` with its default plan, nothing left out |"
    );
}

fn bars_as_text(bars: &[Bar]) -> String {
    let met = bars.iter().filter(|bar| bar.met).count();
    let mut text = format!("{met} of {} bars are met.\n", bars.len());
    for bar in bars.iter().filter(|bar| !bar.met) {
        let _ = writeln!(text, "NOT MET: {}: {}", bar.what, bar.found);
    }
    text
}

/// For the head of `bench/RESULTS.md`: how many are met, and one line for each that is not.
fn bars_as_json(bars: &[Bar]) -> String {
    let met = bars.iter().filter(|bar| bar.met).count();
    let all = (format!("{} bars of the simulation", bars.len()), format!("{met} met"), met == bars.len());
    let missed = bars.iter().filter(|bar| !bar.met).map(|bar| (bar.what.replace("**", ""), bar.found.clone(), false));
    let lines = std::iter::once(all).chain(missed).map(|(what, found, met)| {
        format!(" {{ \"bar\": \"7. Storm\", \"what\": {what:?}, \"wanted\": \"all, below\", \"found\": {found:?}, \"met\": {met} }}")
    });
    format!("[\n{}\n]\n", lines.collect::<Vec<_>>().join(",\n"))
}

fn write_bars(text: &mut String, bars: &[Bar]) {
    let met = bars.iter().filter(|bar| bar.met).count();
    let _ = writeln!(
        text,
        "\n### The bars\n\n{met} of {} are met; `cargo xtask check storm` fails if another is not, or one is missed by more than here.\n",
        bars.len()
    );
    let _ = writeln!(text, "| | found | met |\n| --- | --- | --- |");
    for bar in bars.iter().filter(|bar| !bar.what.contains("beyond its budget") || !bar.met) {
        let _ = writeln!(text, "| {} | {} | {} |", bar.what, bar.found, if bar.met { "yes" } else { "**no**" });
    }
    let _ = writeln!(text, "\nAnd in no scenario did any page repeat more than its own budget allows.");
}

fn write_scenario(text: &mut String, runs: &[(Scenario, Contender)], figures: &[Figures]) {
    let Some(((scenario, _), never)) = runs.first().zip(figures.first()) else { return };
    let _ = writeln!(text, "\n### {}: {}\n", scenario.crowd.name, scenario.name);
    let _ = writeln!(
        text,
        "| | amplification | goodput | ended well | first 30 s after | 99 % after, s | peak | 95 % within, s |"
    );
    let _ = writeln!(text, "| --- | --- | --- | --- | --- | --- | --- | --- |");
    for ((_, contender), found) in runs.iter().zip(figures) {
        let goodput = if never.answers > 0.0 { format!("{:.3}", found.answers / never.answers) } else { "–".into() };
        let _ = writeln!(
            text,
            "| {} | {:.3} | {goodput} | {:.3} | {:.3} | {} | {:.2} | {} |",
            contender.name(),
            found.amplification,
            found.rescued,
            found.afterwards,
            seconds(found.back_s),
            found.peak,
            found.p95_s.map_or("–".into(), |s| format!("{s:.0}")),
        );
    }
}

fn seconds(s: Option<f64>) -> String {
    s.map_or("never".into(), |s| format!("{s:.1}"))
}

fn write_designs(text: &mut String, figures: &[Figures], columns: usize) {
    let mut rows = figures.chunks(columns);
    let Some([.., overload, _]) = rows.next() else { return };
    let _ = writeln!(
        text,
        "\n### Every design that was tried: circuit and budget\n\naiFetch, on smaller crowds. The first line is what is shipped, the others differ from it in what they name. With\n500 pages a second holds 500 calls, so 99 % is five of them and the seconds are coarse: 3.1 here is 2.9 above.\n"
    );
    let _ = writeln!(
        text,
        "| | outage | 99 % after, s | outage, every 4 s | outage, quiet | bursts, first 30 s after | overload at a tenth | goodput | chance failures, ended well | outage and overload bars | |"
    );
    let _ = writeln!(text, "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (design, row) in DESIGNS.iter().zip(rows) {
        let [steady, slow, quiet, bursts, costly, hiccups] = row else { continue };
        let goodput = costly.answers / overload.answers;
        let _ = writeln!(
            text,
            "| {} | {:.3} | {} | {:.2} | {:.2} | {:.3} | {:.3} | {goodput:.3} | {:.4} | {} | {} |",
            design.name,
            steady.amplification,
            seconds(steady.back_s),
            slow.amplification,
            quiet.amplification,
            bursts.afterwards,
            costly.amplification,
            hiccups.rescued,
            if designs::meets(row, goodput) { "met" } else { "not met" },
            design.verdict,
        );
    }
    let _ = writeln!(text, "\n![The frontier](results/storm-frontier.svg)");
}

fn write_gates(text: &mut String, figures: &[Figures]) {
    let [crowds, kinds] = [gates::scenarios().len(), gates::KINDS.len()];
    let (never, rest) = figures.split_at(crowds);
    text.push_str(gates::HEAD);
    for (design, row) in gates::DESIGNS.iter().zip(rest.chunks(crowds * kinds)) {
        let _ = write!(text, "| {} |", design.name);
        for (at, found) in row.iter().enumerate() {
            let goodput = found.answers / never[at % crowds].answers;
            let _ = write!(
                text,
                " {goodput:.3}, {:.3}, {:.2} ({:.2}), {:.3} |",
                found.rescued, found.peak, found.late_peak, found.amplification
            );
        }
        for throttles in [1, 2] {
            let [half, all] = one_page::half_and_all_s(&gates::contender(design, Kind::Sp), throttles, SEED);
            let _ = write!(text, " {half:.1}, {all:.1} |");
        }
        let _ = writeln!(text, " {} |", design.verdict);
    }
}

/// Those that are drawn: all of them would hide each other.
const DRAWN: [&str; 5] = ["never repeat", "axios-retry", "cockatiel", "PnPjs", "Graph client"];

fn plots_of<'a>(runs: &'a Runs, figures: &'a [Figures], scenario: &Scenario) -> Vec<(&'a str, &'a [(f64, f64)])> {
    let drawn = |name: &str| name.starts_with("**") || DRAWN.iter().any(|start| name.starts_with(start));
    let of_it = runs.iter().zip(figures).filter(|((other, who), _)| other == scenario && drawn(who.name()));
    of_it.map(|((_, who), figures)| (who.name(), figures.seconds.as_slice())).collect()
}

fn over_time(title: &'static str, y: Axis, found: &[(&str, &[(f64, f64)])], pick: fn(&(f64, f64)) -> f64) -> Plot {
    let length = found.first().map_or(0, |(_, seconds)| seconds.len()) as f64;
    let series = found.iter().map(|(name, seconds)| Series {
        name: name.trim_matches('*').replace("**", ""),
        points: seconds.iter().enumerate().map(|(at, second)| (at as f64 - DRAWN_S.0, pick(second))).collect(),
    });
    let x = Axis { name: "seconds since the trouble began", range: (-DRAWN_S.0, length - DRAWN_S.0), every: 5.0 };
    Plot { title, x, y, series: series.collect(), points: false }
}

fn success(found: &[(&str, &[(f64, f64)])]) -> Plot {
    let y = Axis { name: "share of calls that end well", range: (0.0, 1.0), every: 0.2 };
    over_time("A 30 s outage: calls that begin in this second", y, found, |second| second.0)
}

fn requests(found: &[(&str, &[(f64, f64)])]) -> Plot {
    let y = Axis { name: "requests at the server per call", range: (0.0, 5.0), every: 1.0 };
    over_time("A 30 s outage: what the server sees", y, found, |second| second.1)
}

fn asked_to_wait(found: &[(&str, &[(f64, f64)])]) -> Plot {
    let y = Axis { name: "requests at the server per call", range: (0.0, 4.0), every: 1.0 };
    let mut plot = over_time("Overload with Retry-After: what the server sees", y, found, |second| second.1);
    plot.x.every = 10.0;
    plot
}

fn frontier(figures: &[Figures], columns: usize) -> Plot {
    let point =
        |row: &[Figures]| row.first().map(|it| (it.back_s.unwrap_or(f64::INFINITY).min(12.0), it.amplification));
    let mut points: Vec<_> = figures.chunks(columns).skip(1).filter_map(point).collect();
    let shipped = points.drain(..1).collect();
    let bar = (0..=20).map(|n| f64::from(n) / 20.0);
    let bars = bar.clone().map(|part| (3.0, part * 0.5)).chain(bar.map(|part| (part * 3.0, 0.5))).collect();
    Plot {
        title: "Designs tried: a 30 s outage, one request a second",
        x: Axis { name: "seconds after it until 99 % succeed again", range: (0.0, 12.0), every: 1.0 },
        y: Axis { name: "amplification in it", range: (0.0, 1.6), every: 0.2 },
        series: vec![
            Series { name: "tried".into(), points },
            Series { name: "the bars".into(), points: bars },
            Series { name: "shipped".into(), points: shipped },
        ],
        points: true,
    }
}
