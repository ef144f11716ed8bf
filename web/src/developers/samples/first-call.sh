# 1. Send a photo. The answer names the generation.
curl https://plinth.example/api/v1/tools/remover/generations \
  -H "Authorization: Bearer $PLINTH_KEY" \
  -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -F image=@mug.jpg

# 2. Ask for it until its status is "succeeded".
curl https://plinth.example/api/v1/generations/$GENERATION \
  -H "Authorization: Bearer $PLINTH_KEY"

# 3. Fetch the picture from the "contentUrl" of its result.
curl https://plinth.example$CONTENT_URL -o mug.png \
  -H "Authorization: Bearer $PLINTH_KEY"
