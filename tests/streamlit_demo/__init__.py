"""The page of examples/streamlit_demo: Streamlit's AppTest, a real server, and one that fails."""
