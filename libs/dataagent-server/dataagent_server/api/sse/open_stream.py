"""What both routes do: take a place among the live connections and stream into it."""

from dataagent_server.api.chat.live_events import AccessWatch
from dataagent_server.api.sse.event_stream import Batches, EventStream, text_of
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.sessions.live.connection_manager import Connection


def take_connection(services: Services, principal: Principal, session_id: str) -> Connection:
    """Take a place, or refuse with 503."""
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
    """Stream batches of events for somebody who may read the session, until they end."""
    watch = AccessWatch(services, principal, session_id)
    text = text_of(batches, watch, session_id, home=str(services.settings.home))

    def release() -> None:
        services.connections.disconnect(connection)

    return EventStream(text, services.stopping, release)
