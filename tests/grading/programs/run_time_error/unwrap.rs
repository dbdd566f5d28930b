fn main() {
    let number: i64 = "two".parse().unwrap();
    println!("{}", number);
}
