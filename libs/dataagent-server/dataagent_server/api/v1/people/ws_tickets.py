"""`/api/v1/ws-tickets`: opening a WebSocket from a browser, which cannot send a key with it."""

from fastapi import APIRouter, Response

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.people.auth import Ticket, TicketAsked
from dataagent_server.identity.auth.limits import WS_TICKET_S

router = APIRouter(prefix="/ws-tickets", tags=["auth"])


@router.post("", status_code=201, summary="Get a WebSocket ticket")
async def create_ws_ticket(
    body: TicketAsked, principal: CurrentPrincipal, services: ServicesDep, response: Response
) -> Ticket:
    """Make a ticket that opens `/ws/chat/{session_id}?ticket=` once, within seconds."""
    ticket = await services.people.sign_in.ws_ticket(principal, body.session_id)
    response.headers["cache-control"] = "no-store"
    return Ticket(ticket=ticket, expires_in=int(WS_TICKET_S))
