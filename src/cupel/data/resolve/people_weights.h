// The weights by which two scientists are judged to be one.
//
// Log odds, fitted by logistic regression on half of the ACL Anthology's list of name variants
// (1965-2021, pairs of names that share a block, at least one of them listed, and unlisted ones
// without a shared co-author); on persons left out of the fit they were as good. Rounded; kinds of
// which there were too few are by judgement.
#pragma once

#include "cupel/data/resolve/compare_names.h"

namespace cupel {

inline constexpr double kOfRelation[kNameRelations] = {
    -2.6,          // kSame
    -4.9,          // kSwapped
    -2.2,          // kMiddleInitial
    -3.6,          // kMiddleName
    -2.9,          // kMiddleMatches
    -4.0,          // kParticles
    -1.1,          // kFirstInitial: the initial is common, which costs it more below
    -1.6,          // kInitialMiddle
    -0.4,          // kInitialsOnly
    -3.2,          // kNickname
    -5.7,          // kPrefix
    -5.4,          // kFirstSlip
    -5.0,          // kLastSlip
    -3.7,          // kMiddleSlip
    -3.7,          // kMoreLast
    -3.5,          // kMoreFirst
    -2.5,          // kLastInitial
    -30.0, -30.0,  // kUnlike, kConflict
};
// Of the logarithm of how many others are expected to have both the first and the last name by
// chance: the names' counts multiplied, over the number of names. A small set of names says little
// about which are common; it counts as one of kLeastNames.
inline constexpr double kOfCommon = -0.33;
inline constexpr double kLeastNames = 20000;

inline constexpr double kOfAnyShared = 1.3;    // a co-author of both, or more
inline constexpr double kOfShared = 1.7;       // log(1 + sum of 1 / log2(2 + co-authors of it))
inline constexpr double kOfShareShared = 0.9;  // of the co-authors of the one with fewer
inline constexpr double kOfLonely = -0.31;     // log(1 + these), where none is shared
inline constexpr double kOfNear = 0.4;         // co-authors who work with the other's co-authors
inline constexpr double kOfGap = -0.34;        // log(1 + years)
inline constexpr double kOfPapers = 0.5;       // log(1 + papers of the one with fewer)
inline constexpr double kOfPlaces = 2.0;  // log(1 + sum of 1 / log2(2 + staff)), at most 1 in all
inline constexpr double kOfSkills = 0.3;  // the same, of capabilities

}  // namespace cupel
