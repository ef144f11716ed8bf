/** Where people write to. Whoever runs Plinth for others puts their own address here, and nowhere else. */
export const CONTACT_EMAIL = 'support@plinth.example';
