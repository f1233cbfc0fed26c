"""The settings of the apps in this folder, and their Flask server."""

import os
from urllib.parse import urlsplit

# Plain http is safe here, because all requests stay on this machine.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

ISSUER = os.environ["ISSUER"]
CLIENT_ID = os.environ["CLIENT_ID"]
CLIENT_SECRET = os.environ["CLIENT_SECRET"]
APP_URL = os.environ["APP_URL"]
REDIRECT_URI = f"{APP_URL}/callback"


def serve(app):
    """Serves the app, and shows the reason when a sign-in fails."""

    @app.errorhandler(Exception)
    def fail(fault):
        return f"{type(fault).__name__}: {fault}", 500

    app.run("localhost", urlsplit(APP_URL).port)
