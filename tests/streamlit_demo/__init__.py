"""The page of examples/streamlit_demo: Streamlit's own AppTest, a real server, and one that fails."""
