import os, time, uuid
import requests

origin = "https://plinth.example"
headers = {"Authorization": f"Bearer {os.environ['PLINTH_KEY']}"}

with open("mug.jpg", "rb") as photo:
    asked = requests.post(
        f"{origin}/api/v1/tools/remover/generations",
        headers={**headers, "Idempotency-Key": str(uuid.uuid4())},
        files={"image": ("mug.jpg", photo, "image/jpeg")},
    )
generation = asked.json()
if not asked.ok:
    raise RuntimeError(generation["detail"])

while generation["status"] in ("queued", "running"):
    time.sleep(1)
    answer = requests.get(f"{origin}/api/v1/generations/{generation['id']}", headers=headers)
    generation = answer.json()
    if not answer.ok:
        raise RuntimeError(generation["detail"])
# A failed generation is refunded automatically.
if generation["status"] != "succeeded":
    raise RuntimeError(generation["error"]["message"])

picture = requests.get(origin + generation["result"]["contentUrl"], headers=headers)
with open("mug.png", "wb") as file:
    file.write(picture.content)
