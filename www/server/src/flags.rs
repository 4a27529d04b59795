//! The command line. Few flags and no library: development must not wait for an argument parser to compile.

use steadfetch_lab::Config;

pub const USAGE: &str = "\
steadfetch-lab [--root DIR] [--port N] [--time-scale F] [--until-stdin-closes]
  --root DIR            directory of the static files (default: the current one)
  --port N              port of the first origin (default 0: one that is free)
  --time-scale F        scripted times are divided by F (default 1)
  --until-stdin-closes  stop when standard input closes";

pub struct Flags {
    pub config: Config,
    pub until_stdin_closes: bool,
}

impl Flags {
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut flags =
            Self { config: Config { root: ".".into(), port: 0, time_scale: 1.0 }, until_stdin_closes: false };
        while let Some(flag) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{flag} needs a value."));
            match flag.as_str() {
                "--root" => flags.config.root = value()?.into(),
                "--port" => flags.config.port = port(&value()?)?,
                "--time-scale" => flags.config.time_scale = time_scale(&value()?)?,
                "--until-stdin-closes" => flags.until_stdin_closes = true,
                other => return Err(format!("There is no flag {other}.")),
            }
        }
        Ok(flags)
    }
}

fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| format!("--port must be a number from 0 to 65535, not {text}."))
}

fn time_scale(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(scale) if scale.is_finite() && scale > 0.0 => Ok(scale),
        _ => Err(format!("--time-scale must be a number above 0, not {text}.")),
    }
}

#[cfg(test)]
mod tests {
    use super::Flags;

    fn parse(line: &str) -> Result<Flags, String> {
        Flags::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn every_flag_is_read() {
        let flags = parse("--root pkg --port 8080 --time-scale 100 --until-stdin-closes").unwrap();
        assert_eq!(flags.config.root.to_str(), Some("pkg"));
        assert_eq!((flags.config.port, flags.config.time_scale), (8080, 100.0));
        assert!(flags.until_stdin_closes);
    }

    #[test]
    fn a_wrong_flag_is_named() {
        for (line, named) in [
            ("--prot 1", "--prot"),
            ("--port", "--port"),
            ("--port 99999", "99999"),
            ("--time-scale 0", "--time-scale"),
            ("--time-scale NaN", "--time-scale"),
        ] {
            let sentence = parse(line).err().unwrap();
            assert!(sentence.contains(named), "{line}: {sentence}");
        }
    }
}
