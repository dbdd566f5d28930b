#[inline(never)]
fn black_box(room: [i64; 8]) -> [i64; 8] { unsafe { std::ptr::read_volatile(&room) } }

fn depth(n: i64) -> i64 {
    let room = black_box([n; 8]);
    if n == 0 { 0 } else { depth(n - 1) + 1 + room[0] - n }
}

fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let sum: i64 = line.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    println!("{}", sum + depth(500000) - 500000);
}
