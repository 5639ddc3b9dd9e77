import type { PageTexts } from './page-texts.js';

export const ja: PageTexts<'ja'> = {
  submit: '送信する',
  choose: '選択してください',
  required: 'この項目を入力してください。',
  not_sent: 'フォームは送信されませんでした',
  thanks_title: 'ありがとうございます',
  back: 'ウェブサイトに戻る',
  closed: 'このフォームの受付は終了しました。',

  marked: '{mark} の付いた項目は必須です。',
  required_group: '（必須）',

  number_range: '{min}～{max}',
  number_min: '{min} 以上',
  number_max: '{max} 以下',
  length_range: { other: '{min}～{n} 文字' },
  length_min: { other: '{n} 文字以上' },
  length_max: { other: '{n} 文字以内' },
  file_limit: '最大 {size}',
  files_limit: '1 ファイルにつき最大 {size}',

  error_title: 'エラー：{name}',
  files_again: 'ファイルは保持されません。もう一度選択してください。',

  required_box: 'このチェックボックスにチェックを入れてください。',
  required_choice: '選択肢から選択してください。',
  required_file: 'ファイルを選択してください。',
  email: 'メールアドレスを入力してください（例：name@example.com）。',
  url: 'http:// または https:// で始まるウェブアドレスを入力してください。',
  tel: '電話番号を入力してください。',
  number: '数値を入力してください。',
  date: '日付を入力してください。',
  min: '{min} 以上の数値を入力してください。',
  max: '{max} 以下の数値を入力してください。',
  too_short: { other: '{n} 文字以上で入力してください。' },
  too_long: { other: '{n} 文字以内で入力してください。' },
  options: '選択肢の中から選択してください。',
  pattern: '指定された形式で入力してください。',
  one_value: '値は 1 つだけ入力してください。',
  one_file: 'ファイルは 1 つだけ選択してください。',
  too_many_files: { other: 'フォーム全体で選択できるファイルは {n} 個までです。' },
  file_too_large: 'ファイルのサイズは {size} 以内にしてください。',
  file_empty: 'ファイルが空です。',
  file_type: 'この種類のファイルは受け付けられません。使用できる種類：{types}',
  file_program: 'プログラムやスクリプトは受け付けられません。',
  characters: '使用できない文字が含まれています。',
  invalid: 'この値は正しくありません。',

  owner:
    'このフォームは正しく設定されていません。入力内容の問題ではありません。お手数ですが、ウェブサイトの管理者にお知らせください。',
  owner_details: 'フォームの管理者の方へ',

  thanks: '送信内容を受け付けました。',
  to_form: 'フォームに戻る',
  continue: '続ける',

  not_found_title: 'フォームが見つかりません',
  not_found: 'フォームが削除されたか、アドレスが間違っている可能性があります。',
  rate_limited_title: '送信回数が多すぎます',
  rate_limited:
    'お使いのネットワークからの送信回数が多すぎます。1 分ほど待ってから前のページに戻り、もう一度送信してください。',
  payload_too_large_title: '送信内容が大きすぎます',
  payload_too_large: '前のページに戻り、文章を短くするか、より小さいファイルを選択して、もう一度送信してください。',
  unavailable_title: 'サービスを利用できません',
  unavailable: '送信内容は保存されていません。しばらく待ってから前のページに戻り、もう一度送信してください。',
  request_timeout_title: '送信に時間がかかりすぎました',
  request_timeout: '送信内容は保存されていません。前のページに戻り、できればより速い回線でもう一度送信してください。',
  limit_reached_title: 'このフォームではこれ以上受け付けられません',
  limit_reached: '送信内容は保存されていません。別の方法でウェブサイトの管理者にお問い合わせください。',
  forbidden_title: 'ここからこのフォームを送信することはできません',
  forbidden: '送信内容は保存されていません。お手数ですが、ウェブサイトの管理者にお知らせください。',
  failed_title: 'フォームを送信できませんでした',
  failed:
    '送信内容は保存されていません。前のページに戻り、もう一度お試しください。解決しない場合は、ウェブサイトの管理者にお知らせください。',

  trap: 'この項目は空欄のままにしてください',
  checking: 'ブラウザーを確認しています…',
  checked: 'ブラウザーの確認が完了しました。',
  check_waits: 'ブラウザーを確認しています。確認後にフォームが送信されます。',
  check_failed:
    'ブラウザーを確認できなかったため、フォームは送信されませんでした。しばらく待ってから、もう一度送信してください。',
  no_script:
    'このフォームでは、このページのスクリプトが計算する証明（Proof of Work）が必要です。証明がない場合、メッセージは迷惑メールとして扱われることがあります。',
};
