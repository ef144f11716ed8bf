import { MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import { DataTable } from '../ui/DataTable.tsx';
import { TextPage, TextPart } from '../ui/pages/TextPage.tsx';
import { ContactLink, Seller } from './seller.tsx';

const HOURS = MEDIA_TTL_SECONDS / 3600;

const COOKIES = [
  { name: 'session', use: 'Keeps you signed in', span: 'Up to 30 days after your last visit, or until you log out' },
  {
    name: 'sign-in-…',
    use: 'Ties a sign-in with Google to your browser, one for each tab',
    span: <>10 minutes</>,
  },
  { name: 'theme', use: 'Remembers light or dark, if you chose one', span: <>1 year</> },
  {
    name: 'sample-language',
    use: 'Remembers in which language you read the examples for developers, if you chose one',
    span: <>1 year</>,
  },
];

const page = (
  <TextPage
    updated="July 15, 2025"
    title="Privacy Policy"
    lead="What this site keeps about you, for how long, and who else gets to see it."
  >
    <TextPart id="collected" title="Information collected">
      <p>
        Plinth is software that anyone can run on their own computers. In this policy, “we” are the people who run this
        site. We collect what the site needs to work, and nothing else.
      </p>
      <ul>
        <li>
          <b>Your account.</b> Your e-mail address. If you sign in with a password, we keep a hash of it, from which the
          password cannot be read back.
        </li>
        <li>
          <b>Google sign-in.</b> If you sign in with Google, we take your e-mail address and the identifier of your
          Google account. We ask Google for nothing else and keep none of its access tokens.
        </li>
        <li>
          <b>Your content.</b> The photos you upload, the descriptions you type, the options you choose, and the
          pictures and videos made from them. A photo is saved anew when it arrives: place and camera are left behind.
          Its file name names what you download, and goes with the photo.
        </li>
        <li>
          <b>Your generations and credits.</b> Which tool you used and when, what it cost, how it ended, and every
          change of your balance.
        </li>
        <li>
          <b>Your purchases.</b> The package, the price, the date and the payment company’s number for the payment. Card
          details go to the payment company alone. We never see them.
        </li>
        <li>
          <b>Your sign-ins.</b> When a session began, when it was last used, and the name your browser gives itself. So
          that nobody can guess passwords, attempts are counted by network address and by account; a count is gone after
          about a day. The network you signed in from is remembered for 30 days, as a hash.
        </li>
        <li>
          <b>Your programs.</b> The names of your API keys, when they were made and last used, and a hash of each; the
          addresses of your own servers that you want to be told, and a secret that signs what we send there. They go
          when you delete them.
        </li>
      </ul>
      <p>
        The log of the site records faults, and of each request what kind it was and how it ended, beside a hash of your
        account’s number. It holds no e-mail address, no description and no picture.
      </p>
    </TextPart>
    <TextPart id="use" title="Use of data">
      <p>
        We use your data to run the site for you: to sign you in, to make what you ask for, to show your history, to
        keep your credits right and to answer your e-mails. We do not use your content for advertising, and we train no
        models with it.
      </p>
      <p>
        Unless a tool says otherwise, the <b>built-in engine</b> makes your pictures and videos. It runs on the
        computers that run this site, and your content does not leave them.
      </p>
      <p>
        We may have an outside provider do the work of a tool. The screen of the tool then shows the provider’s name
        instead of “Built-in engine”. That provider receives the photos, the description and the options of the one
        request. It does not receive your name, your e-mail address or your balance. We tell it to keep no copies, or to
        delete them within an hour, wherever it offers that.
      </p>
      <p>
        When you buy credits, you pay on the page of a payment company. It receives your e-mail address, the package and
        our number for the purchase. It tells us whether the payment was made, refunded or disputed.
      </p>
    </TextPart>
    <TextPart id="storage" title={`Storage and deletion after ${HOURS} hours`}>
      <p>
        <b>Uploads and results are deleted after {HOURS} hours.</b> The descriptions you typed go with them. Your
        history shows how much time each file has left, and you can delete a result sooner yourself: the photo it was
        made from goes with it. Of each deleted file a line is left in your account, without content: its kind, when it
        was made and deleted, why, and a checksum. The names of your catalogues and their article numbers are kept for
        30 days. If you let us tell your own server what has ended, a message that it does not take, with your
        descriptions, is kept and sent again for up to 76 hours.
      </p>
      <p>
        Files are kept on the computers that run this site, or in a storage bucket that we rent. They are private: only
        a browser that is signed in to your account can open them.
      </p>
      <p>
        Your account, the record of your generations, your credits and your purchases are kept until the account is
        deleted. The record of a session is deleted within 60 days of its last use.
      </p>
      <p>
        <b>To have your account deleted, write to support</b> at <ContactLink />, or delete it yourself in your account,
        under “Your data”. Your sessions end at once. Your files and descriptions, your e-mail address, your password
        and the link to your Google account are deleted. Credits that are left are lost. What we must keep by law are
        your purchases and their receipts, which name your e-mail address, and the entries that say what was generated
        when and for how many credits. There is no content in them.
      </p>
      <p>
        <b>You can take everything along:</b> “Download your data”, there too, gives you all that is kept about you, and
        your files that are still there.
      </p>
    </TextPart>
    <TextPart id="sharing" title="No sharing">
      <p>
        <b>Your content is not sold or shared with third parties.</b> No advertiser, no data broker and no other user
        gets to see it.
      </p>
      <p>A few companies work for us, and each receives only what its work needs:</p>
      <ul>
        <li>an outside provider, for a tool whose screen names one;</li>
        <li>the payment company, when you buy credits;</li>
        <li>Google, when you choose to sign in with it;</li>
        <li>whoever rents us the computers or the storage on which this site runs.</li>
      </ul>
      <p>Beyond that, we hand over data only where the law obliges us to.</p>
    </TextPart>
    <TextPart id="cookies" title="Cookies and analytics">
      <p>
        We set four kinds of cookies, all of them our own. The first two are there for signing in; at a secure address
        their names begin with __Host-. The others remember a choice of yours.
      </p>
      <DataTable
        columns={[
          { head: 'Cookie', isHead: true, cell: ({ name }) => <code>{name}</code> },
          { head: 'What it is for', cell: ({ use }) => use },
          { head: 'How long', cell: ({ span }) => span },
        ]}
        rows={COOKIES}
        keyOf={({ name }) => name}
      />
      <p>
        There are <b>no analytics</b>, no advertising cookies and no parts of other sites on our pages. We do not follow
        you around.
      </p>
      <p>
        Your own browser keeps some things too, on your own device, so that you can go on where you were: the last 3
        photos you used, what you have put into a form (photos, words and what you painted), and the photos of a
        catalogue. They are offered for {HOURS} hours and removed when you log out.
      </p>
    </TextPart>
    <TextPart id="contact" title="Contact by e-mail">
      <p>
        Write to <ContactLink /> with any question about your data, to have it corrected, to get a copy of it, or to
        have your account deleted. Please write from the address of the account, so that we know it is you.
      </p>
      <Seller />
    </TextPart>
  </TextPage>
);

export function PrivacyScreen() {
  return page;
}
