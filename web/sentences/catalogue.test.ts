import { describe, expect, it } from 'vitest';
import { ENGLISH, listCatalogues, listIds, listSentences, readCatalogue } from './catalogue.ts';
import { translate } from './translate.ts';

const listed = listSentences();

describe.each(listCatalogues())('the catalogue %s', (path) => {
  it('has every sentence of the sources, and no other (npm run sentences brings it up to date)', () => {
    const ids = listIds(path);
    expect([...listed.keys()].filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.filter((id) => !listed.has(id))).toEqual([]);
  });

  it('keeps what is filled in and marked in each sentence', () => {
    if (path === ENGLISH) return;
    const { lookup } = readCatalogue(path);
    for (const id of listed.keys())
      for (const translation of lookup(id) ?? []) expect(marksOf(translation), id).toEqual(marksOf(id));
  });
});

const marksOf = (text: string): string[] => (text.match(/\{\d+\}|<\/?\d+\/?>/g) ?? []).toSorted();

describe('the specification', () => {
  it.each(listSpecified())('says “%s” to the letter', (sentence) => {
    expect([...listed.keys()]).toContain(sentence);
  });
});

/** Sections 2 to 8, but for the six sentences that have no place (docs/decisions/012). */
function listSpecified(): string[] {
  return [
    ...['Sign In', 'Sign Up', 'Sign up with Google', 'Signing in...', 'Processing...'],
    ...['Signing you in... Please wait.', 'Login failed or session not found.', 'Successfully signed in!'],
    ...['Background Customization', 'Remover Background', 'Dress Changer', 'Product Video Generate', 'History'],
    ...['Change Password', 'Logout', 'User', 'Popular', 'Basic', 'Standard', 'Premium'],
    ...['JPEG, PNG or WebP, max 12MB', 'Image and description required', 'Download Mockup'],
    ...['Image to Video', 'Motion Description', 'Square 1:1', 'Generate Video', 'Download Video'],
    ...['Processed image (768x768)', 'Remove Background', 'Download Result'],
    ...['Gender', 'Not specified', 'Target Model', 'Hair Style', "Keep User's Hair", "Keep Target's Hair"],
    ...['Generate Headshot', 'Download Headshot', 'Dress Change Generator'],
    ...[
      'Your Image (Required)',
      'Garment Image (Required)',
      'Generate Dress Change',
      'Generating...',
      'Download Image',
    ],
    ...['Generated Media History', 'No media found', 'Start generating images or videos to see them here!'],
    ...['Payment cancelled.', 'New Password', 'Confirm New Password', 'Update Password', 'Updating Password...'],
    ...['Payment Successful!', 'Thank you for your purchase. Your credits have been added to your account.'],
    ...['Return to Dashboard', 'User account deleted', 'Session expired. Please log in again.'],
    'Authentication error. Please try logging in again.',
    'An unexpected error occurred. Please refresh the page.',
    ...['Logged out successfully', 'Error during logout, please refresh the page', 'An error occurred during logout'],
    ...['Checking credits...', 'Generating product mockup...', 'Generating video...', 'Removing background...'],
    ...['Generating headshot...', 'Generating dress change...', 'Please enter both email and password'],
    'Please select an image file (JPEG, PNG, or WebP)',
    'Please select an image file (JPEG or PNG)',
    'Image file size must be less than 12MB',
    'Failed to load image. Please try another file.',
    'Failed to read image file. Please try again.',
    ...['Please upload a product image', 'Please provide a scene description', 'Please upload an image'],
    'Please provide both an image and a prompt',
    'Please provide both face image and select a target model',
    ...['Please upload a model image', 'Please upload a garment image', 'Please select and process an image'],
    'Insufficient credits. Please add more credits to continue.',
    'Not enough credits. Please purchase more credits to continue.',
    ...['Password must be at least 6 characters long', 'Passwords do not match', 'Invalid package type selected'],
    ...['Authentication failed', 'Invalid email or password. Please try again.', 'Logged in successfully'],
    'Authentication required',
    'An unexpected error occurred while generating the product mockup. Please try again.',
    'An unexpected error occurred while generating the dress change. Please try again.',
    'An unexpected error occurred. Please try again.',
    ...['Failed to generate video', 'Failed to generate headshot', 'Failed to generate video: No URL returned'],
    'Failed to generate image with different settings',
    'Failed to remove background. Try another image.',
    'Dress change generated successfully!',
    'The dress change took longer than 5 minutes. Please try again.',
    ...['Failed to start video generation ({status})', 'Failed to check video status ({status})'],
    ...['Video generation not found or expired', 'Video generation timed out. Please try again.'],
    'Failed to download image. Please try again.',
    'Failed to download video. Please try again.',
    'Error playing video. Please try downloading it.',
    ...['Failed to download media', 'Starting download...', 'Download started!', 'Failed to load model images'],
    ...['Failed to load media history', 'Failed to load user data'],
    ...['Failed to process purchase', 'Failed to update password', 'Password updated successfully'],
  ];
}

describe('a sentence in another language', () => {
  const say = (source: string, translation: Record<string, string[]>) =>
    translate('a.tsx', source, (id) => translation[id]);

  it('stands where the English one stood', () => {
    expect(
      say(`const a = { label: 'Two words' }, b = <i title="Save it">Save</i>;`, {
        'Two words': ['Zwei "Wörter"'],
        'Save it': ['Sichern'],
        Save: ['Sichern'],
      }),
    ).toBe(`const a = { label: "Zwei \\"Wörter\\"" }, b = <i title={"Sichern"}>{"Sichern"}</i>;`);
  });

  it('has what is filled in at its own places, in its own order', () => {
    expect(say('const a = `${done} of ${all} ready`;', { '{0} of {1} ready': ['Von {1} fertig: {0} `'] })).toBe(
      'const a = `Von ${all} fertig: ${done} \\``;',
    );
    const markup = `<p>\n  Read <a href="/terms">the <b>{name}</b></a>{' '}\n  or <Icon /> {leave('Go away')}.\n</p>`;
    expect(
      say(markup, {
        'Read <0>the <1/></0> or <2/> {0}.': ['{0} oder <2/> <0><1/> lesen</0>.'],
        'Go away': ['Geh weg'],
      }),
    ).toBe(`<p>{leave("Geh weg")}{" oder "}<Icon />{" "}<a href="/terms"><b>{name}</b>{" lesen"}</a>{"."}</p>`);
  });

  it('has each form of a counted word', () => {
    expect(say(`plural(n, 'photo')`, { photo: ['Foto', 'Fotos'] })).toBe(`plural(n, ["Foto","Fotos"])`);
  });

  it('stays English where the catalogue has none, and inside of one that it has', () => {
    expect(say('<p>Not known {isNew && <b>Quite new</b>}</p>', { 'Quite new': ['Ganz neu'] })).toBe(
      '<p>Not known {isNew && <b>{"Ganz neu"}</b>}</p>',
    );
  });

  it('is refused where it lacks what is filled in', () => {
    expect(() => say('const a = `${n} left over`;', { '{0} left over': ['nichts'] })).toThrow('lacks {0}');
  });

  it('leaves names for programs alone', () => {
    const source = [
      `import a from 'Some Place';`,
      `if (event.key === 'Enter now') throw new Error('For us only');`,
      `const b = <i className="One Two" data-x="Three Four"><code>Five six</code></i>;`,
      `const c = { className: 'Seven Eight' }, d: 'Nine Ten' = e, f = named('Eleven', {});`,
    ].join('\n');
    expect(translate('a.tsx', source, () => ['?'])).toBe(source);
  });
});
