"""What was used, and what may be, as the API shows it. Money is in US dollars."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from dataagent_core.usage import Budget, BudgetKey, UsageRow
from dataagent_core.usage.budget import nano_of, usd_of
from dataagent_server.api.models.base import RequestModel
from dataagent_server.api.models.fields import ChosenId
from dataagent_server.runs.usage_service import BudgetStanding

BudgetScope = Literal["user", "project", "tenant"]
BudgetPeriod = Literal["day", "month"]
_Cost = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False, strict=True)]
_Tokens = Annotated[int, Field(ge=0, le=10**15, strict=True)]


class UsageInfo(BaseModel):
    """A sum of model calls."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(
        description="The day, the model or the id; empty for no user, no project, no known model"
    )
    calls: int
    input_tokens: int
    output_tokens: int
    total_tokens: int
    cached_read_tokens: int = Field(description="Part of the input, from the provider's cache")
    cached_write_tokens: int
    cached_share: float = Field(description="Part of the input that was cached, from 0 to 1")
    reasoning_tokens: int = Field(description="Part of the output")
    cost: float | None = Field(description="US dollars; null where a call's price is unknown")
    known_cost: float = Field(description="US dollars of the calls whose price is known")
    unpriced_calls: int

    @classmethod
    def of(cls, row: UsageRow) -> Self:
        """Show a line of a report."""
        total, tokens = row.total, row.total.tokens
        return cls(
            name=row.name,
            calls=total.calls,
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            total_tokens=tokens.total,
            cached_read_tokens=tokens.cached_read,
            cached_write_tokens=tokens.cached_write,
            cached_share=round(tokens.cached_share, 4),
            reasoning_tokens=tokens.reasoning,
            cost=usd_of(total.known_cost_nano),
            known_cost=usd_of(total.cost_nano) or 0.0,
            unpriced_calls=total.unpriced_calls,
        )


class UsageReport(BaseModel):
    """Sums in the order of their names."""

    model_config = ConfigDict(frozen=True)

    usage: list[UsageInfo]
    next_after: str | None = Field(description="`after` of the next page; null on the last")


class BudgetChange(RequestModel):
    """A limit of money, of tokens, or of both; what is left out is not limited."""

    scope: BudgetScope
    scope_id: ChosenId = Field(description="The user's, the project's or the tenant's id")
    period: BudgetPeriod
    cost_max: _Cost | None = Field(default=None, description="US dollars")
    tokens_max: _Tokens | None = None

    def budget(self) -> Budget:
        """Read it."""
        return Budget(
            key=BudgetKey(self.scope, self.scope_id, self.period),
            cost_nano_max=None if self.cost_max is None else nano_of(self.cost_max),
            tokens_max=self.tokens_max,
        )


class BudgetInfo(BaseModel):
    """A budget, and what is used or held of it in the present day or month (UTC)."""

    model_config = ConfigDict(frozen=True)

    scope: str
    scope_id: str
    period: str
    cost_max: float | None
    tokens_max: int | None
    used_cost: float
    used_tokens: int

    @classmethod
    def of(cls, found: BudgetStanding) -> Self:
        """Show a budget."""
        budget = found.budget
        return cls(
            scope=budget.key.scope,
            scope_id=budget.key.scope_id,
            period=budget.key.period,
            cost_max=usd_of(budget.cost_nano_max),
            tokens_max=budget.tokens_max,
            used_cost=usd_of(found.used.cost_nano) or 0.0,
            used_tokens=found.used.tokens,
        )


class BudgetList(BaseModel):
    """Budgets."""

    model_config = ConfigDict(frozen=True)

    budgets: list[BudgetInfo]
