"""What both stream routes do: register a connection and stream into it."""

from dataagent_server.api.chat.live_events import AccessWatch
from dataagent_server.api.sse.event_stream import Batches, EventStream, text_of
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.sessions.live.connection_manager import Connection


def take_connection(services: Services, principal: Principal, session_id: str) -> Connection:
    """Register a connection, or refuse with 503."""
    return services.connections.connect(
        principal.tenant_id, principal.user_id, session_id, kind="sse"
    )


def open_stream(
    services: Services,
    principal: Principal,
    session_id: str,
    connection: Connection,
    batches: Batches,
) -> EventStream:
    """Stream batches of events to a principal who may read the session."""
    watch = AccessWatch(services, principal, session_id)
    text = text_of(batches, watch, session_id, home=str(services.settings.home))

    def release() -> None:
        services.connections.disconnect(connection)

    return EventStream(text, services.stopping, release)
