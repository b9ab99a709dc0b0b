"""What `dataagent doctor` looks at; each check gives findings, each with a fix."""
