"""Operations on whole sessions: copies, removal, rewinding files."""
