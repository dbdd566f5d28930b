pub fn all(line: &str) -> i64 {
    line.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum()
}
