fn main() {
    let a: i32 = "two";
}
