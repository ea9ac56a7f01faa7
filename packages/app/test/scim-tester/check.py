"""Has scim2-tester judge a service, and prints what it says as JSON."""

import json
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

url, token = sys.argv[1:]
client = Client(base_url=url, headers={"Authorization": f"Bearer {token}"})
results = check_server(SyncSCIMClient(client))
print(json.dumps([[result.status.name, result.title, result.reason] for result in results]))
