#error <script>alert(1)</script> vector<int>
