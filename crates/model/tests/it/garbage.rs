//! Damaged models: no panic, and nothing that is not verified gets through.

use crate::common::{SAMPLES, check, program};
use loopfrog_model::binary::{self, ReadError};
use loopfrog_model::text::parse;
use loopfrog_model::{Program, verify};

/// A small generator of numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Changes, removes, doubles or moves a few bytes.
fn damage(bytes: &mut Vec<u8>, numbers: &mut Numbers) {
    for _ in 0..=numbers.below(3) {
        let at = numbers.below(bytes.len());
        let end = (at + 1 + numbers.below(8)).min(bytes.len());
        let piece = bytes[at..end].to_vec();
        let to = numbers.below(bytes.len() - piece.len() + 1);
        match numbers.below(6) {
            0 => bytes[at] = numbers.below(256) as u8,
            1 => bytes[at] = bytes[at].wrapping_add(1),
            2 => bytes[at] ^= 1 << numbers.below(8),
            3 => drop(bytes.drain(at..end)),
            4 => drop(bytes.splice(to..to, piece)),
            _ => drop(bytes.splice(to..to + piece.len(), piece)),
        }
    }
}

#[test]
fn damaged_bytes_are_refused() {
    let mut numbers = Numbers(1);
    for sample in SAMPLES {
        let bytes = binary::to_bytes(&program(sample));
        for _ in 0..2_000 {
            let mut damaged = bytes.clone();
            damage(&mut damaged, &mut numbers);
            assert!(damaged == bytes || binary::from_bytes(&damaged).is_err());
            let _ = binary::split(&damaged);
        }
    }
}

/// Behind the checksum, only the decoder and the verifier protect us; what passes both must come back from all forms.
#[test]
fn damaged_payloads_are_verified() {
    let mut numbers = Numbers(2);
    let mut accepted = 0;
    for sample in SAMPLES {
        let payload = postcard::to_allocvec(&program(sample)).expect("it can be encoded");
        for _ in 0..5_000 {
            let mut damaged = payload.clone();
            damage(&mut damaged, &mut numbers);
            let Ok(program) = postcard::from_bytes::<Program>(&damaged) else { continue };
            if verify(&program).is_ok() {
                accepted += 1;
                check(&program);
            }
        }
    }
    assert!(accepted > 50, "only {accepted} of the damaged programs were still programs");
}

#[test]
fn damaged_texts_are_verified() {
    let mut numbers = Numbers(3);
    let mut accepted = 0;
    for sample in SAMPLES {
        for _ in 0..5_000 {
            let mut damaged = sample.as_bytes().to_vec();
            damage(&mut damaged, &mut numbers);
            if let Ok(program) = parse(&String::from_utf8_lossy(&damaged)) {
                accepted += 1;
                check(&program);
            }
        }
    }
    assert!(accepted > 50, "only {accepted} of the damaged texts were still programs");
}

#[test]
fn frames() {
    let bytes = binary::to_bytes(&program(SAMPLES[0]));
    assert_eq!(binary::from_bytes(b""), Err(ReadError::NotAModel));
    assert_eq!(binary::from_bytes(b"\x7fELF"), Err(ReadError::NotAModel));
    for length in 1..bytes.len() {
        assert_eq!(binary::from_bytes(&bytes[..length]), Err(ReadError::Truncated));
    }
    let mut other = bytes.clone();
    other[8] = 77;
    let error = binary::from_bytes(&other).expect_err("the version is another");
    assert_eq!(error, ReadError::OtherVersion(77));
    assert_eq!(error.to_string(), "this model has version 77, but this Loopfrog reads version 2: build the model again");
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(binary::from_bytes(&longer), Err(ReadError::Corrupt(_))));
}

#[test]
fn concatenated_models_are_split() {
    let [first, second] = SAMPLES.map(|sample| binary::to_bytes(&program(sample)));
    let mut bytes = vec![0; 4];
    bytes.extend(&first);
    bytes.extend(&second);
    bytes.extend([0; 13]);
    bytes.extend(&first);
    bytes.extend([0; 3]);
    assert_eq!(binary::split(&bytes), Ok(vec![&first[..], &second[..], &first[..]]));
    assert_eq!(binary::split(&[]), Ok(vec![]));
    assert_eq!(binary::split(&[0; 9]), Ok(vec![]));
    bytes.extend(b"LOOP");
    assert_eq!(binary::split(&bytes), Err(ReadError::Truncated));
    bytes.extend(b"HOLE");
    assert_eq!(binary::split(&bytes), Err(ReadError::NotAModel));
}
