"""What people allowed for good, as the API shows it."""

from datetime import datetime

from pydantic import Field

from dataagent_server.api.models.shapes import Shown


class KeptRuleInfo(Shown):
    """An "always": such calls need no yes of this person any more."""

    rule_id: str
    user_id: str
    project_id: str | None = Field(description="Where it counts; null: in sessions of no project")
    tool: str = Field(examples=["shell"])
    resource: str = Field(description="A pattern", examples=["git status *"])
    session_id: str = Field(description="Where it was said")
    created_by: str = Field(description="Who said it")
    created_at: datetime
