const SECRET: &str = include_str!("/etc/shadow");
fn main() { println!("{}", SECRET); }
