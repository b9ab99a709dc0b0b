"""What the workers of database servers share."""
