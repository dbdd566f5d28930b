use std::thread;

fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let sum: i64 = line.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    let all: Vec<_> = (0..30).map(|n| thread::spawn(move || n)).collect();
    println!("{}", sum + all.into_iter().map(|one| one.join().unwrap()).sum::<i64>() - 435);
}
