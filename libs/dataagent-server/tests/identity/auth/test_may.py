"""`may` is the table and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import DeniedError
from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.identity.auth.may import (
    RULES,
    Action,
    Resource,
    may,
    require,
)
from dataagent_server.identity.auth.principal import (
    ROLES,
    SCOPES,
    Principal,
    Role,
    Scope,
    operator,
    outranks,
)

tenants = st.sampled_from([TenantId("a"), TenantId("b"), DEFAULT_TENANT])
users = st.sampled_from(["ann", "bob"])
roles = st.sampled_from(ROLES)
actions = st.sampled_from(list(RULES))
scopes = st.none() | st.frozensets(st.sampled_from(SCOPES))
principals = st.builds(Principal, tenants, users, roles, scopes)
resources = st.builds(
    Resource,
    tenants,
    st.sampled_from(["session", "key", "member"]),
    owner_id=st.none() | users,
    shared=st.booleans(),
    role=st.none() | roles,
)
STARTING: set[Action] = {
    "session.create", "run.start", "request.answer", "session.change", "workspace.change",
}  # fmt: skip


@pytest.mark.requirement("S3-13")
@given(principals, actions, resources)
def test_s3_property_13_the_decision_is_what_the_table_says(
    principal: Principal, action: Action, resource: Resource
):
    """Restated from the table: allowed calls go on, others are refused with a permission error."""
    rule = RULES[action]
    by_scope = principal.scopes is None or bool(
        principal.scopes & {rule.scope, "admin"} or (rule.scope == "read" and principal.scopes)
    )
    own = resource.owner_id == principal.user_id
    enough = [rule.anyone] + [rule.own] * own + [rule.shared] * resource.shared
    by_role = any(
        needed and ROLES.index(principal.role) <= ROLES.index(needed) for needed in enough
    )
    below = own or resource.role is None or outranks(principal.role, resource.role)
    expected = by_scope and by_role and below and principal.tenant_id == resource.tenant_id
    if action == "installation.manage":
        expected = by_scope and principal.role == "owner" and principal.tenant_id == DEFAULT_TENANT
    assert may(principal, action, resource) == expected
    if expected:
        require(principal, action, resource)
    else:
        with pytest.raises(DeniedError) as refusal:
            require(principal, action, resource)
        assert refusal.value.code == "PERMISSION_DENIED"


@pytest.mark.requirement("S0-51")
@given(principals, resources, roles, st.sampled_from(["session.read", "session.change"]))
def test_s0_property_51_a_member_reaches_no_session_but_their_own(
    principal: Principal, session: Resource, role: Role, action: Action
):
    if session.owner_id == principal.user_id and session.tenant_id == principal.tenant_id:
        return
    if outranks(principal.role, "admin") or session.shared:
        assert not may(principal, "session.change", session)
        return
    assert not may(principal, action, session)


@given(principals, actions, resources)
def test_nobody_reaches_into_another_tenant(
    principal: Principal, action: Action, resource: Resource
):
    if principal.tenant_id != resource.tenant_id and action != "installation.manage":
        assert not may(principal, action, resource)
        assert not may(operator(principal.tenant_id), action, resource)


@given(principals, actions, resources)
def test_a_viewer_starts_and_changes_nothing_of_the_work(
    principal: Principal, action: Action, resource: Resource
):
    if principal.role == "viewer" and action in STARTING:
        assert not may(principal, action, resource)


@given(principals, actions, resources)
def test_scopes_only_ever_narrow(principal: Principal, action: Action, resource: Resource):
    free = Principal(principal.tenant_id, principal.user_id, principal.role)
    assert not may(principal, action, resource) or may(free, action, resource)


@given(principals, actions, resources, roles)
@pytest.mark.requirement("F4-2")
def test_a_higher_role_may_all_that_a_lower_one_may(
    principal: Principal, action: Action, resource: Resource, role: Role
):
    higher = Principal(principal.tenant_id, principal.user_id, role, principal.scopes)
    if outranks(role, principal.role) and may(principal, action, resource):
        assert may(higher, action, resource)


@pytest.mark.parametrize(
    ("scope", "action", "allowed"),
    [
        ("read", "session.read", True), ("read", "run.start", False), ("chat", "run.start", True),
        ("chat", "session.read", True), ("chat", "key.create", False),
        ("files", "workspace.change", True), ("files", "run.start", False),
        ("admin", "run.start", True), ("admin", "key.create", True),
    ],
)  # fmt: skip
def test_what_a_scope_is_for(scope: Scope, action: Action, allowed: bool):
    ann = Principal(TenantId("a"), "ann", "owner", frozenset({scope}))
    assert may(ann, action, Resource(TenantId("a"), "session", owner_id="ann")) is allowed


def test_paths_of_a_user_are_for_oneself_or_an_admin():
    tenant = TenantId("a")
    ann, bob = (Resource(tenant, "user", owner_id=name) for name in ("ann", "bob"))
    require(Principal(tenant, "ann", "viewer"), "user.read", ann)
    require(Principal(tenant, "ann", "admin"), "user.read", bob)
    with pytest.raises(DeniedError):
        require(Principal(tenant, "ann", "member"), "user.read", bob)
