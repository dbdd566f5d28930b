fn main() {
    let mut room = Vec::new();
    loop { room.push(vec![1u8; 1 << 20]); }
}
