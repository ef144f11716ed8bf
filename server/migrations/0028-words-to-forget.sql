-- The sweep asks each minute whose words are past their time: without it, it reads every generation that there was.
create index generations_words on generations (created_at) where finished_at is not null
  and (input <> '{}' or understood is not null or (error_code = 'provider_rejected' and error_message is not null));
