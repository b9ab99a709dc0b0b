"""What is said of data, in Chinese: charts, databases, files, results, sources, SQL."""
