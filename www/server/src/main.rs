//! The lab server as a command: starts it, prints where it listens, and stays.

mod flags;

use std::{
    env,
    io::{self, Read, Write},
    process::{self, ExitCode},
    thread,
};

use flags::Flags;

fn main() -> ExitCode {
    let flags = match Flags::parse(env::args().skip(1)) {
        Ok(flags) => flags,
        Err(sentence) => {
            eprintln!("{sentence}\n\n{}", flags::USAGE);
            return ExitCode::from(2);
        }
    };
    match serve(flags) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("The lab server cannot start: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(flags: Flags) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let origins = steadfetch_lab::start(flags.config).await?;
        // A runner reads this one line to learn the ports, so it must leave the buffer now.
        println!("listening on {}", origins.join(" "));
        io::stdout().flush()?;
        if flags.until_stdin_closes {
            thread::spawn(leave_when_stdin_closes);
        }
        std::future::pending().await
    })
}

/// A runner that is killed cannot stop its server; its end of the pipe closes all the same.
fn leave_when_stdin_closes() {
    let mut ignored = [0; 1024];
    while matches!(io::stdin().read(&mut ignored), Ok(read) if read > 0) {}
    process::exit(0);
}
