while (true);
