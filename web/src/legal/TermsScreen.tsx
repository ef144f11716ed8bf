import { IMAGE_MAX_BYTES, MEBIBYTE, MEDIA_TTL_SECONDS, PASSWORD_MIN_LENGTH } from '@plinth/contract/limits';
import { listPackages } from '@plinth/contract/payments';
import { costRange } from '@plinth/contract/cost-range';
import { tools } from '@plinth/contract/tools';
import { formatPrice, plural } from '../ui/format.ts';
import { TextPage, TextPart } from '../ui/pages/TextPage.tsx';
import { ContactLink, Seller } from './seller.tsx';

const HOURS = MEDIA_TTL_SECONDS / 3600;
const [min, max] = costRange(tools['image-to-video']);

const page = (
  <TextPage
    updated="July 15, 2025"
    title="Terms of Service"
    lead="The rules for using this site. By signing in you accept them."
  >
    <TextPart id="service" title="Use of service">
      <p>
        Plinth makes pictures and videos from the photos you upload. “We” are the people who run this site, “you” are
        the person who uses it. You may use it for yourself, for your business and for the businesses of your clients.
      </p>
      <p>
        Photos are JPEG, PNG or WebP of up to {IMAGE_MAX_BYTES / MEBIBYTE}MB; the video tools take JPEG or PNG. Results
        are computed, not photographed. Look at each one before you publish it, and show your product as it is.
      </p>
      <p>Please do not:</p>
      <ul>
        <li>upload what is illegal, or a person who has not agreed to it;</li>
        <li>use a result to deceive somebody, or to show a person in a way that harms them;</li>
        <li>use other people’s accounts, get around limits, or disturb the service for others.</li>
      </ul>
    </TextPart>
    <TextPart id="content" title="User content">
      <p>
        Your photos stay yours. What is made from them is yours as well, as far as the law knows rights in such
        pictures, and you may use it commercially. You need the right to use every photo you upload.
      </p>
      <p>
        You allow us to store your content and to work on it, for one purpose: to make what you ask for and to show it
        to you. This permission ends when the content is deleted. Your content is not sold or shared with third parties;
        the <a href="/privacy">Privacy Policy</a> says who works on it.
      </p>
      <p>
        <b>Uploads and results are deleted after {HOURS} hours.</b> Download what you want to keep. Nobody can bring a
        deleted file back.
      </p>
    </TextPart>
    <TextPart id="payments" title="Credits and payments">
      <p>
        You buy credits in packages and spend them as you go. There is no subscription and nothing renews by itself.
      </p>
      <ul>
        {listPackages().map(({ key, name, credits, price }) => (
          <li key={key}>
            {name}: {credits} credits for {formatPrice(price.amount)}
          </li>
        ))}
      </ul>
      <p>
        Prices are in US dollars. One image request costs {plural(tools['text-to-image'].cost, 'credit')}, a basic video{' '}
        {tools['basic-image-to-video'].cost}, a product video {min} to {max}. The price is on the button before you
        press it. Credits reach your balance when the payment company has confirmed the payment. They do not expire, and
        they cannot be passed on or exchanged for money.
      </p>
      <p>
        <b>Purchased credits are non-refundable.</b> Rights that the law gives you and that cannot be waived remain
        yours.
      </p>
      <p>
        <b>A generation that fails gives its credits back</b>, by itself and at once. The same holds for one that you
        cancel before its result is there.
      </p>
      <p>
        If a payment is refunded after all, or the payment company takes it back in a dispute, we take back the credits
        of that purchase, as far as your balance has them. Your balance never falls below zero.
      </p>
    </TextPart>
    <TextPart id="security" title="Account security">
      <p>
        Your account is for you or your business. A password has at least {PASSWORD_MIN_LENGTH} characters; a longer one
        that you use nowhere else is better. Keep it to yourself. You answer for what is done with your account.
      </p>
      <p>
        If you think that somebody else got in, change the password: that ends every other session of your account. Then
        write to us at <ContactLink />.
      </p>
    </TextPart>
    <TextPart id="availability" title="Availability">
      <p>
        Most image edits take under 1 minute, videos 2-3 minutes. These are usual times, not promises. The service can
        pause for maintenance or because of a fault. Work that was running then goes on afterwards, or its credits come
        back.
      </p>
      <p>
        We do not promise that the service is always there, or that every result suits your purpose. As far as the law
        allows, we are not liable for sales you missed or for files that were deleted on time.
      </p>
    </TextPart>
    <TextPart id="termination" title="Termination">
      <p>
        You can stop at any time. <b>To have your account deleted, write to support</b> at <ContactLink />, or delete it
        yourself in your account, under “Your data”. Credits that are left are lost with the account.
      </p>
      <p>
        We may close an account that breaks these terms. Before we do, we write to its e-mail address, unless others
        would be harmed by waiting.
      </p>
    </TextPart>
    <TextPart id="changes" title="Changes">
      <p>
        We may change these terms. The date at the top says when we last did. Whoever goes on using the site after a
        change accepts it. Credits that you bought before a change keep their value.
      </p>
    </TextPart>
    <TextPart id="contact" title="Contact">
      <p>
        Questions about these terms, an invoice or your account: write to <ContactLink />. A person reads it.
      </p>
      <Seller />
    </TextPart>
  </TextPage>
);

export function TermsScreen() {
  return page;
}
