package main

func main() {
	for i := 0; i < 10000; i++ {
		go func() {
			for {
			}
		}()
	}
	select {}
}
