//! Plots as small SVG files: lines over time, or points in a plane.

use std::fmt::Write;

/// What is drawn.
pub struct Plot {
    /// Above it.
    pub title: &'static str,
    /// Along the bottom, with the first and the last value.
    pub x: Axis,
    /// Along the side.
    pub y: Axis,
    /// One after the other, in their own colours.
    pub series: Vec<Series>,
    /// Points rather than lines.
    pub points: bool,
}

/// One direction.
pub struct Axis {
    /// What it shows.
    pub name: &'static str,
    /// From here to there.
    pub range: (f64, f64),
    /// With a line every so much.
    pub every: f64,
}

/// What belongs together.
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 56.0;
const TOP: f64 = 40.0;
const RIGHT: f64 = 190.0;
const BOTTOM: f64 = 48.0;
/// Told apart by those who see colours differently (Okabe and Ito).
const COLOURS: [&str; 7] = ["#000000", "#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#d55e00", "#0072b2"];

impl Axis {
    fn share(&self, value: f64) -> f64 {
        ((value - self.range.0) / (self.range.1 - self.range.0)).clamp(0.0, 1.0)
    }

    fn lines(&self) -> impl Iterator<Item = f64> {
        let (from, to) = self.range;
        let every = self.every;
        (0..=((to - from) / every + 1e-9) as u32).map(move |n| from + f64::from(n) * every)
    }
}

impl Plot {
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        (LEFT + self.x.share(x) * width, TOP + (1.0 - self.y.share(y)) * height)
    }

    /// The file.
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut svg);
        svg
    }

    fn write(&self, svg: &mut String) -> std::fmt::Result {
        writeln!(
            svg,
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">"##
        )?;
        writeln!(svg, r##"<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>"##)?;
        writeln!(svg, r##"<text x="{LEFT}" y="22" font-size="15">{}</text>"##, self.title)?;
        let (right, bottom) = self.place((self.x.range.1, self.y.range.0));
        for value in self.x.lines() {
            let (x, _) = self.place((value, 0.0));
            writeln!(svg, r##"<path d="M{x:.1} {TOP}V{bottom}" stroke="#dddddd"/>"##)?;
            writeln!(svg, r##"<text x="{x:.1}" y="{:.1}" text-anchor="middle">{value}</text>"##, bottom + 16.0)?;
        }
        for value in self.y.lines() {
            let (_, y) = self.place((0.0, value));
            writeln!(svg, r##"<path d="M{LEFT} {y:.1}H{right}" stroke="#dddddd"/>"##)?;
            let value = format!("{value:.1}");
            writeln!(svg, r##"<text x="{:.1}" y="{:.1}" text-anchor="end">{value}</text>"##, LEFT - 6.0, y + 4.0)?;
        }
        let middle = (LEFT + right) / 2.0;
        writeln!(
            svg,
            r##"<text x="{middle:.1}" y="{:.1}" text-anchor="middle">{}</text>"##,
            bottom + 36.0,
            self.x.name
        )?;
        writeln!(
            svg,
            r##"<text transform="translate(14 {:.1}) rotate(-90)" text-anchor="middle">{}</text>"##,
            (TOP + bottom) / 2.0,
            self.y.name
        )?;
        for (n, series) in self.series.iter().enumerate() {
            self.write_series(svg, n, series, right)?;
        }
        writeln!(svg, "</svg>")
    }

    fn write_series(&self, svg: &mut String, n: usize, series: &Series, right: f64) -> std::fmt::Result {
        let colour = COLOURS[n % COLOURS.len()];
        let places: Vec<(f64, f64)> = series.points.iter().map(|point| self.place(*point)).collect();
        if self.points {
            for (x, y) in places {
                writeln!(svg, r##"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="{colour}" fill-opacity="0.8"/>"##)?;
            }
        } else {
            let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
            writeln!(svg, r##"<path d="M{}" fill="none" stroke="{colour}" stroke-width="2"/>"##, path.join("L"))?;
        }
        let y = TOP + 8.0 + 20.0 * n as f64;
        writeln!(svg, r##"<path d="M{:.1} {y:.1}h16" stroke="{colour}" stroke-width="4"/>"##, right + 12.0)?;
        writeln!(svg, r##"<text x="{:.1}" y="{:.1}">{}</text>"##, right + 34.0, y + 4.0, series.name)
    }
}
