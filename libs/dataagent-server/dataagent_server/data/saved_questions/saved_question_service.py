"""Creates, reads, changes and deletes saved questions.

Users who see a project see its questions; a question without a project exists only for its owner
and admins. Nothing runs here: running a question is a query.
"""

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from dataagent_core.errors import ConflictError, LimitReachedError, NotFoundError, ValidationError
from dataagent_core.ids import new_id
from dataagent_server.common.names import validate_name
from dataagent_server.common.pagination import ItemPage, PageRequest, make_page
from dataagent_server.data.saved_questions import question_rows
from dataagent_server.data.saved_questions.saved_question import (
    QUESTIONS_PER_TENANT_MAX,
    QuestionChanges,
    SavedQuestion,
    validate_chart,
)
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Action, Principal, Resource, require
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.auth.may import may
from dataagent_server.identity.projects.project_scope import require_project


@dataclass(frozen=True, slots=True)
class SavedQuestionService:
    """The questions of the principal's own tenant."""

    database: Database
    audit: AuditTrail
    clock: Clock = utc_now

    async def list(
        self, principal: Principal, project_id: str | None, page_request: PageRequest
    ) -> ItemPage[SavedQuestion]:
        """List a project's questions, or the principal's own without a project."""

        def work(connection: Connection) -> list[SavedQuestion]:
            _require_in_project(connection, principal, "saved_question.read", project_id)
            if project_id is not None:
                return question_rows.of_project(
                    connection, principal.tenant_id, project_id, page_request
                )
            return question_rows.of_person(
                connection, principal.tenant_id, principal.user_id, page_request
            )

        found = await self.database.read(work)
        return make_page(
            found, page_request, lambda question: (question.created_at, question.question_id)
        )

    async def get(self, principal: Principal, question_id: str) -> SavedQuestion:
        """Return a question."""
        return await self.database.read(
            lambda c: _find(c, principal, question_id, "saved_question.read")
        )

    async def create(
        self, principal: Principal, project_id: str | None, wishes: QuestionChanges
    ) -> SavedQuestion:
        """Store a question for the principal, or for a project."""
        if wishes.name is None or wishes.source is None or wishes.sql is None:
            raise ValidationError("Give the question's name, source and sql.")
        now = self.clock()
        question = SavedQuestion(
            question_id=new_id(),
            project_id=project_id,
            owner_id=principal.user_id,
            name=validate_name(wishes.name, "name of the question"),
            source=wishes.source,
            sql=wishes.sql,
            chart=None if wishes.chart is None else validate_chart(wishes.chart),
            version=1,
            created_at=now,
            updated_at=now,
        )

        def work(connection: Connection) -> SavedQuestion:
            _require_in_project(connection, principal, "saved_question.change", project_id)
            if question_rows.count(connection, principal.tenant_id) >= QUESTIONS_PER_TENANT_MAX:
                raise LimitReachedError(
                    f"The tenant has its {QUESTIONS_PER_TENANT_MAX:,} questions. Delete one first."
                )
            question_rows.add(connection, principal.tenant_id, question)
            self._record(connection, principal, "saved_question.create", question)
            return question

        return await self.database.write(work)

    async def change(
        self,
        principal: Principal,
        question_id: str,
        wishes: QuestionChanges,
        version: int | None = None,
    ) -> SavedQuestion:
        """Apply the changes; with `version`, only if nobody else changed it since."""
        changes = _validate_changes(wishes)

        def work(connection: Connection) -> SavedQuestion:
            old = _find(connection, principal, question_id, "saved_question.change")
            new = replace(old, **changes, version=old.version + 1, updated_at=self.clock())
            fresh = version is None or version == old.version
            if not fresh or not question_rows.change(connection, principal.tenant_id, old, new):
                raise ConflictError("Somebody else changed the question meanwhile. Read it again.")
            self._record(connection, principal, "saved_question.change", new)
            return new

        return await self.database.write(work)

    async def delete(self, principal: Principal, question_id: str) -> None:
        """Delete a question; its results stay."""

        def work(connection: Connection) -> None:
            question = _find(connection, principal, question_id, "saved_question.change")
            question_rows.remove(connection, principal.tenant_id, question_id)
            self._record(connection, principal, "saved_question.delete", question)

        await self.database.write(work)

    def _record(
        self, connection: Connection, principal: Principal, action: str, question: SavedQuestion
    ) -> None:
        self.audit.record(
            connection, principal.tenant_id, principal.actor, action,
            f"saved_question:{question.question_id}",
            {"name": question.name, "project_id": question.project_id,
             "sql": self.audit.digest(question.sql)},
        )  # fmt: skip


def _validate_changes(wishes: QuestionChanges) -> dict[str, Any]:
    changes: dict[str, Any] = {"source": wishes.source, "sql": wishes.sql}
    if wishes.name is not None:
        changes["name"] = validate_name(wishes.name, "name of the question")
    if wishes.chart is not None:
        changes["chart"] = validate_chart(wishes.chart)
    changes = {name: value for name, value in changes.items() if value is not None}
    return {**changes, "chart": None} if wishes.no_chart else changes


def _require_in_project(
    connection: Connection, principal: Principal, action: Action, project_id: str | None
) -> None:
    locked = action == "saved_question.change"
    require_project(connection, principal.tenant_id, project_id, locked=locked)
    require(principal, action, _resource(principal, principal.user_id, project_id))


def _find(
    connection: Connection, principal: Principal, question_id: str, action: Action
) -> SavedQuestion:
    """Find a question the principal may use for this; one they may not see does not exist."""
    question = question_rows.find(connection, principal.tenant_id, question_id)
    missing = NotFoundError(f"There is no question {question_id[:80]!r}.")
    if question is None:
        raise missing
    resource = _resource(principal, question.owner_id, question.project_id)
    if not may(principal, "saved_question.read", resource):
        raise missing
    require(principal, action, resource)
    return question


def _resource(principal: Principal, owner_id: str, project_id: str | None) -> Resource:
    shared = project_id is not None
    return Resource(principal.tenant_id, "saved_question", owner_id, project_id, shared)
