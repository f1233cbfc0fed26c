from flask import Flask, redirect, request
from oic.oic import Client
from oic.oic.message import AuthorizationResponse, RegistrationResponse
from oic.utils.authn.client import CLIENT_AUTHN_METHOD
from serve import CLIENT_ID, CLIENT_SECRET, ISSUER, REDIRECT_URI, serve

app = Flask(__name__)
client = Client(client_authn_method=CLIENT_AUTHN_METHOD)
client.provider_config(ISSUER)
client.store_registration_info(RegistrationResponse(client_id=CLIENT_ID, client_secret=CLIENT_SECRET))
state = "a-state-of-the-tests"


@app.get("/sign-in")
def sign_in():
    arguments = {
        "client_id": CLIENT_ID,
        "response_type": "code",
        "scope": ["openid", "profile", "email"],
        "state": state,
        "nonce": "a-nonce-of-the-tests",
        "redirect_uri": REDIRECT_URI,
    }
    return redirect(client.construct_AuthorizationRequest(request_args=arguments).request(client.authorization_endpoint))


@app.get("/callback")
def finish():
    query = request.query_string.decode()
    answer = client.parse_response(AuthorizationResponse, info=query, sformat="urlencoded")
    tokens = client.do_access_token_request(
        state=state, request_args={"code": answer["code"], "redirect_uri": REDIRECT_URI}
    )
    person = client.do_user_info_request(state=state)
    assert person["sub"] == tokens["id_token"]["sub"]
    return person.to_dict()


serve(app)
